/** The age of a cached answer; empty for one that was computed just now. */
export function AnswerAge({ at, tookMs, now }: { at: Date; tookMs: number; now: Date }) {
  const seconds = Math.floor((now.getTime() - at.getTime() - tookMs) / 1000)
  return seconds < youngestAge ? null : (
    <time
      dateTime={at.toISOString()}
      title="Slow answers are kept for up to a minute"
      className="text-xs whitespace-nowrap text-muted"
    >
      {seconds} s ago
    </time>
  )
}

const youngestAge = 3
