import { duration } from '#ui/format'
import { type AnswerState, waitingInWords } from '#insights/waiting-events'

/** The age of a cached answer and the events that it misses; empty for a complete one that was computed just now. */
export function AnswerAge({ at, tookMs, waitingEvents, isBehind, now }: AnswerState & { now: Date }) {
  const seconds = Math.floor((now.getTime() - at.getTime() - tookMs) / 1000)
  if (seconds < youngestAge && !isBehind) return null
  return (
    <span className="text-xs text-muted">
      {seconds >= youngestAge && (
        <time
          dateTime={at.toISOString()}
          title={`It took ${duration(tookMs)}. Slow answers are kept for up to a minute.`}
          className="whitespace-nowrap"
        >
          Updated {seconds} s ago
        </time>
      )}
      {seconds >= youngestAge && isBehind && ' · '}
      {isBehind && waitingInWords(waitingEvents)}
    </span>
  )
}

const youngestAge = 3
