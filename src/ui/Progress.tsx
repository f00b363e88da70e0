import { percent } from './format'

/** A progress bar; indeterminate without a value. */
export function Progress({
  label,
  labelHidden,
  value,
  max = 1,
}: {
  label: string
  labelHidden?: boolean
  value?: number
  max?: number
}) {
  const share = value === undefined ? undefined : Math.min(Math.max(value / max, 0), 1)

  return (
    <div className="flex flex-col gap-1.5">
      <progress aria-label={label} value={share} className="sr-only" />
      {!labelHidden && (
        <span className="flex justify-between gap-4 text-xs text-muted" aria-hidden>
          <span>{label}</span>
          {share !== undefined && <span className="tabular-nums">{percent(share)}</span>}
        </span>
      )}
      <div aria-hidden className="h-1.5 overflow-hidden rounded-full bg-pressed">
        {share === undefined ? (
          <div className="h-full w-1/3 animate-travel rounded-full bg-accent" />
        ) : (
          <div
            className="h-full rounded-full bg-accent transition-[width]"
            style={{ width: `${share * 100}%` }}
          />
        )}
      </div>
    </div>
  )
}
