import { useState } from "preact/hooks";
import type { ModelProps } from "../model/model.ts";
import { Icon } from "../parts/parts.tsx";
import { ConversationList, toConversations } from "./conversation-list.tsx";
import { NewPhone } from "./new-phone.tsx";
import { Thread } from "./thread.tsx";

interface WelcomeProps extends ModelProps {
  readonly onNewPhone: () => void;
}

const Welcome = ({ model, onNewPhone }: WelcomeProps) => {
  if (toConversations(model).length > 0) {
    return (
      <section class="empty welcome has-conversations" aria-label="Welcome">
        <Icon name="inbox" />
        <div>
          <h2>No conversation is open</h2>
          <p>Choose a phone to see its messages and to reply as this phone.</p>
        </div>
      </section>
    );
  }
  return (
    <section class="empty welcome" aria-label="Welcome">
      <Icon name="inbox" />
      <div>
        <h2>Waiting for the first message</h2>
        <p>Point your application at this fake service. Its messages appear here.</p>
        <dl class="facts card">
          <dt>Base URL</dt>
          <dd>
            <code>{location.origin}</code>
          </dd>
          <dt>E-mail</dt>
          <dd>
            <code>{model.state.account.email}</code>
          </dd>
          <dt>API key</dt>
          <dd>as the command printed it</dd>
        </dl>
        <button type="button" class="button primary" onClick={onNewPhone}>
          <Icon name="plus" />
          Write as a phone
        </button>
      </div>
    </section>
  );
};

/** Panel of conversations: all phones, and the open one. */
export const Conversations = ({ model }: ModelProps) => {
  const [isDialogOpen, setDialogOpen] = useState(false);
  /** Phone whose conversation was just begun: the focus goes to its field, because the dialog's button may be gone. */
  const [begun, setBegun] = useState<string>();
  const openDialog = () => {
    setBegun(undefined);
    setDialogOpen(true);
  };
  const { phone } = model.route;
  return (
    <div class={phone === undefined ? "panes" : "panes is-open"}>
      <ConversationList model={model} onNewPhone={openDialog} />
      {phone === undefined ? (
        <Welcome model={model} onNewPhone={openDialog} />
      ) : (
        <Thread key={phone} model={model} phone={phone} isBegun={phone === begun} />
      )}
      {isDialogOpen && (
        <NewPhone model={model} onOpen={setBegun} onClose={() => setDialogOpen(false)} />
      )}
    </div>
  );
};
