/*
 * The protocol of durable sends. Three runs send up to two messages each, with two keys, in processes that may be killed at any
 * moment, beside a webhook, a person, and a statement that arrives late. Spin goes through every order of their steps.
 * ledger.full.test.ts says how it is run.
 *
 * A claim is a number: run 2 makes the claims 4 and 5, one for each attempt. A key that was `rejected` counts as `open`, because
 * a later run may have other content. The macros ONE_ID, RETRY_UNCONFIRMED, SEND_UNCONFIRMED, TWO_STEPS, ANY_ID and LEASE each
 * break a rule; LOSES adds a failover.
 */
#ifndef RUNS
#define RUNS 3
#endif
#ifndef MESSAGES
#define MESSAGES 2 /* of each run */
#endif
#ifndef ATTEMPTS
#define ATTEMPTS 1 /* to send a message */
#endif
#define runOf(claim) ((claim) / 2)
#define bit(claim) (1 << (claim))

mtype = { open, sending, unknown, accepted }
#define none 0

typedef Entry { mtype state; byte claim }
typedef Statement { mtype state; byte key; byte claim } /* `sending` claims, another state settles */

Entry ledger[2];
Statement late;

/* Sets of claims, which the protocol does not know. */
byte taken[2]; /* The service accepted the message, and no person has opened the key since. */
byte lost[2];  /* The ledger confirmed the claim, and lost it. */

#define isTwice(claims) (((claims) & ((claims) - 1)) != 0)
#define isDoubt(entry) (entry.state == sending || entry.state == unknown)
#define isForgotten(k, claims) ((claims) != 0 && !isDoubt(ledger[k]) && ledger[k].state != accepted)

/* A claim that was lost may be sent twice or forgotten. With a ledger that loses nothing, none is. */
#define isKept(k) (!isTwice(taken[k] & ~lost[k]) && !isForgotten(k, taken[k] & ~lost[k]))
ltl promises { [] (isKept(0) && isKept(1)) }
ltl never_twice { [] (!isTwice(taken[0]) && !isTwice(taken[1])) }

/* A run may repeat its own claim. */
#define isFree(k, id) (ledger[k].state == none || ledger[k].state == open \
  || ledger[k].state == sending && (runOf(ledger[k].claim) == runOf(id) || endsAfterTime))
#ifdef LEASE
#define endsAfterTime true
#else
#define endsAfterTime false
#endif
#ifdef TWO_STEPS /* The run has looked before. */
#define mayClaim(k, id) true
#else
#define mayClaim(k, id) isFree(k, id)
#endif
#ifdef ANY_ID
#define isOwn(k, id) true
#else
#define isOwn(k, id) (ledger[k].claim == id)
#endif
#ifdef LOSES
byte granted[2];
#define grant(k, id) granted[k] = granted[k] | bit(id)
#else
#define grant(k, id) skip
#endif

/* Both tables. Sets `holds`: the ledger holds the claim or the result. */
inline execute(to, at, id) {
  holds = false;
  if
  :: to == sending && mayClaim(at, id) ->
    ledger[at].state = sending; ledger[at].claim = id; grant(at, id); holds = true
  :: ledger[at].state == none && (to == accepted || to == unknown) -> /* The claim was lost. */
    ledger[at].state = to; ledger[at].claim = id
  :: ledger[at].state != none && to == accepted -> ledger[at].state = accepted
  :: to != sending && to != accepted && ledger[at].state == sending && isOwn(at, id) -> ledger[at].state = to
  :: else
  fi;
  if
  :: to != sending -> holds = ledger[at].state == to && (to == accepted || ledger[at].claim == id)
  :: else
  fi;
  if
  :: holds && (to == accepted || to == unknown) && (taken[at] & ~bit(id)) == 0 -> lost[at] = lost[at] & ~bit(id) /* Healed in time. */
  :: else
  fi
}

inline postpone(to, at, id) { late.state = to; late.key = at; late.claim = id }

/* A run has a statement executed: confirmed, not confirmed, late, or never; or its process is killed. */
inline request(to) {
  confirmed = false;
  if
  :: d_step { execute(to, key, claim); confirmed = true }
  :: d_step { execute(to, key, claim); holds = false }
  :: d_step { late.state == none -> postpone(to, key, claim) }
  :: true
  :: goto ended
  fi
}

byte started; /* The runs are alike, and so are the keys: run 0 starts first, with key 0. */

active [RUNS] proctype Run() {
  byte key, claim, attempt, message;
  bool confirmed, holds;
  mtype result;
  atomic { started == _pid -> started++; if :: key = 0 :: _pid > 0 -> key = 1 fi; claim = 2 * _pid };
claims:
#ifdef TWO_STEPS
  if :: isFree(key, claim) :: else -> goto skips fi;
#endif
  atomic {
    request(sending);
    if
#ifndef SEND_UNCONFIRMED
    :: !confirmed -> goto releases
#endif
    :: confirmed && !holds -> goto skips
    :: else
    fi;
    if /* Nobody sees when the message leaves: it leaves at once. */
    :: taken[key] = taken[key] | bit(claim); result = accepted
    :: taken[key] = taken[key] | bit(claim); result = unknown
    :: result = unknown
    :: result = open /* No connection, a 429, or a refusal. */
    :: goto ended
    fi;
    confirmed = false; holds = false; attempt++
  };
  atomic {
    request(result);
#ifdef RETRY_UNCONFIRMED
    holds = holds || !confirmed;
#else
    if :: !confirmed -> goto ended :: else fi; /* The run stops. */
#endif
    if
    :: result == open && holds && attempt < ATTEMPTS ->
#ifndef ONE_ID
      claim++;
#endif
      confirmed = false; holds = false; result = 0; goto claims
    :: else
    fi;
skips:
    message++;
    if
    :: message < MESSAGES ->
      key = 1 - key; claim = 2 * _pid; attempt = 0; confirmed = false; holds = false; result = 0; goto claims
    :: else -> goto ended
    fi
  };
releases: /* The run stops. */
  atomic { request(open) };
ended:
  atomic { key = 0; claim = 0; attempt = 0; message = 0; confirmed = false; holds = false; result = 0 }
}

active proctype Network() {
  bool holds;
end:
  do
  :: d_step { late.state != none -> execute(late.state, late.key, late.claim); holds = false; postpone(none, 0, 0) }
  od
}

#define confirm(k) d_step { ledger[k].state != none && (taken[k] & (3 << (2 * runOf(ledger[k].claim)))) != 0 -> \
  ledger[k].state = accepted }

active proctype Webhook() {
end:
  if :: confirm(0) :: confirm(1) fi
}

#define resolve(k) :: d_step { isDoubt(ledger[k]) -> ledger[k].state = accepted } \
  :: d_step { isDoubt(ledger[k]) -> ledger[k].state = open; taken[k] = taken[k] & ~bit(ledger[k].claim) }

active proctype Person() {
end:
  if resolve(0) resolve(1) fi
}

#ifdef LOSES
Entry standby[2];
byte copied[2];
#define copy(from, to) to.state = from.state; to.claim = from.claim
#define store(k) copy(ledger[k], standby[k]); copied[k] = granted[k]
#define restore(k) copy(standby[k], ledger[k]); lost[k] = granted[k] & ~copied[k]; granted[k] = 0; copied[k] = 0; \
  standby[k].state = none; standby[k].claim = 0

/* The standby has the ledger as it was at some moment, and takes over at a later one. */
active proctype Failover() {
  d_step { store(0); store(1) };
  d_step { restore(0); restore(1) }
}
#endif
