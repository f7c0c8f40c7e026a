import type { ComponentChildren } from "preact";
import type { MessageView } from "../../control/schemas.ts";
import { plural, toTime } from "../model/format.ts";
import { Icon } from "../parts/parts.tsx";
import { parseRcsMarkup, type RcsPart } from "./rcs-markup.ts";

export interface ShownMessage {
  readonly message: MessageView;
  readonly listName: string | undefined;
}

const Formatted = ({ parts }: { readonly parts: readonly RcsPart[] }) => (
  <>
    {parts.map((part) => {
      if (typeof part === "string") return part;
      const { tag: Tag } = part;
      return (
        // The parts of a text never change.
        <Tag>
          <Formatted parts={part.parts} />
        </Tag>
      );
    })}
  </>
);

const FileLink = ({ file: url = "", contentType = "unknown type" }: MessageView) => {
  const content = (
    <>
      <Icon name="file" />
      <span>
        {url.split(/[?#]/, 1)[0]?.split("/").at(-1) || url}
        <small>{contentType}</small>
      </span>
    </>
  );
  // An application may send any string. Only web addresses become links.
  return /^https?:/i.test(url) ? (
    <a class="file row" href={url} target="_blank" rel="noopener noreferrer">
      {content}
    </a>
  ) : (
    <span class="file row">{content}</span>
  );
};

/** Text of a message, with its formatting. */
export const Text = ({ text = "", channel }: MessageView) => (
  <Formatted parts={channel === "rcs" ? parseRcsMarkup(text) : [text]} />
);

interface FactProps {
  readonly name: string;
  readonly children: ComponentChildren;
}

const Fact = ({ name, children }: FactProps) =>
  children ? (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  ) : null;

const lengthOf = ({ segments, septets }: MessageView): string | undefined =>
  segments === undefined || septets === undefined
    ? undefined
    : `${plural(segments, "segment")} · ${plural(septets, "septet")}`;

const Facts = ({ message, listName }: ShownMessage) => {
  const { at, cause, list_id, transactionId, text, channel, fallbackOf } = message;
  const instead = fallbackOf?.text ?? fallbackOf?.file;
  return (
    <dl class="facts box">
      <Fact name="Transaction ID">{transactionId && <code>{transactionId}</code>}</Fact>
      <Fact name="Cause">{cause && <code>{cause}</code>}</Fact>
      <Fact name="List">{list_id && `${listName ?? "unknown"} (${list_id})`}</Fact>
      <Fact name="Time">
        <time dateTime={at}>{at}</time>
      </Fact>
      <Fact name="Length">{lengthOf(message)}</Fact>
      <Fact name="Text as sent">
        {channel === "rcs" && text && <code class="text">{text}</code>}
      </Fact>
      <Fact name="Failed RCS message">{instead && <code class="text">{instead}</code>}</Fact>
    </dl>
  );
};

export const Message = (shown: ShownMessage) => {
  const { message, listName } = shown;
  const { direction, channel, at, file, text, fallbackOf, cause } = message;
  const isFromService = direction === "sent";
  const length = isFromService ? lengthOf(message) : undefined;
  const meta = (
    <>
      <span class={`badge ${channel}`}>{channel.toUpperCase()}</span>
      {fallbackOf && <span class="badge warn">sent because RCS failed</span>}
      {length !== undefined && <span>{length}</span>}
      {listName !== undefined && <span>{listName}</span>}
      {cause !== undefined && !fallbackOf && <code>{cause}</code>}
      <time dateTime={at}>{toTime(at)}</time>
    </>
  );
  return (
    <li class={`message ${isFromService ? "to-phone" : "from-phone"} ${channel}`}>
      <span class="visually-hidden">{isFromService ? "To the phone:" : "From the phone:"}</span>
      <div class="bubble">
        {file !== undefined && <FileLink {...message} />}
        {text !== undefined && (
          <p class="text">
            <Text {...message} />
          </p>
        )}
      </div>
      {isFromService ? (
        <details>
          <summary class="meta tags">{meta}</summary>
          <Facts {...shown} />
        </details>
      ) : (
        <p class="meta tags">{meta}</p>
      )}
    </li>
  );
};
