import { useState } from "preact/hooks";
import type { ModelProps } from "../model/model.ts";
import { EmptyState } from "../parts/parts.tsx";
import { ConversationList, toConversations } from "./conversation-list.tsx";
import { NewPhone } from "./new-phone.tsx";
import { Thread } from "./thread.tsx";

const Welcome = ({ model }: ModelProps) => {
  const isEmpty = toConversations(model).length === 0;
  return (
    <section class={isEmpty ? "thread" : "thread welcome"} aria-label="Welcome">
      <EmptyState
        icon="inbox"
        Heading="h2"
        title={isEmpty ? "Waiting for the first message" : "No conversation is open"}
        text={
          isEmpty
            ? "Point your application at this fake service. Its messages appear here."
            : "Choose a phone to see its messages and reply from it."
        }
      />
    </section>
  );
};

export const Conversations = ({ model }: ModelProps) => {
  const [isDialogOpen, setDialogOpen] = useState(false);
  /** Phone whose conversation was just started. Its field is focused, because the button of the dialog may be gone. */
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
        <Welcome model={model} />
      ) : (
        <Thread key={phone} model={model} phone={phone} isBegun={phone === begun} />
      )}
      {isDialogOpen && <NewPhone onOpen={setBegun} onClose={() => setDialogOpen(false)} />}
    </div>
  );
};
