import { api } from "../model/api.ts";
import { toDayAndTime, toDistance } from "../model/format.ts";
import type { ModelProps } from "../model/model.ts";
import { Icon } from "../parts/parts.tsx";

export const Clock = ({ model }: ModelProps) => {
  const { now, nextDueAt } = model.state.clock;
  const nextDue = nextDueAt
    ? `The next reminder or scheduled message goes out ${toDistance(nextDueAt, now)}`
    : "No reminder and no scheduled message is due";
  return (
    <section class="clock stack" aria-label="Clock">
      <p class="now row">
        <Icon name="clock" />
        <span class="visually-hidden">Now:</span>
        <time dateTime={now}>{now === "" ? "…" : `${toDayAndTime(now)} UTC`}</time>
      </p>
      <div class="moves" role="group" aria-label="Move the clock">
        <button type="button" class="button" onClick={() => api.advance({ hours: 1 })}>
          +1 hour
        </button>
        <button type="button" class="button" onClick={() => api.advance({ days: 1 })}>
          +1 day
        </button>
        <button
          type="button"
          class="button"
          aria-label="Until the next reminder"
          disabled={nextDueAt === null}
          title={nextDue}
          onClick={() => api.advance({ until: "next_due" })}
        >
          Next reminder
        </button>
      </div>
    </section>
  );
};
