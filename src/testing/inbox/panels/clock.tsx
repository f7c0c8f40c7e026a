import { api } from "../model/control-calls.ts";
import { toDayAndTime, toDistance } from "../model/format.ts";
import type { ModelProps } from "../model/model.ts";
import { Button, Icon } from "../parts/parts.tsx";

export const Clock = ({ model }: ModelProps) => {
  const { now, nextDueAt } = model.state.clock;
  const nextDue = nextDueAt
    ? `The next reminder or scheduled message is due ${toDistance(nextDueAt, now)}`
    : "No reminder or scheduled message is due";
  return (
    <section class="clock stack" aria-label="Clock">
      <p class="now row">
        <Icon name="clock" />
        <span class="visually-hidden">Now:</span>
        <time dateTime={now}>{now === "" ? "…" : `${toDayAndTime(now)} UTC`}</time>
      </p>
      <div class="moves" role="group" aria-label="Move the clock">
        <Button onClick={() => api.advance({ hours: 1 })}>+1 hour</Button>
        <Button onClick={() => api.advance({ days: 1 })}>+1 day</Button>
        <Button
          aria-label="Until the next reminder"
          disabled={nextDueAt === null}
          title={nextDue}
          onClick={() => api.advance({ until: "next_due" })}
        >
          Next reminder
        </Button>
      </div>
    </section>
  );
};
