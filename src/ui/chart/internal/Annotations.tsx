import { clsx } from 'clsx'
import { Anchor } from '#ui/Anchor'
import type { ChartAnnotation } from '../chart'
import type { AlongAxis } from './axis'

/** Flags on the axis. What they say is shown on hover and focus, by style alone. */
export function Annotations({
  annotations,
  along,
  count,
}: {
  annotations: readonly ChartAnnotation[]
  along: AlongAxis
  count: number
}) {
  const inside = annotations.filter(({ at }) => at >= 0 && at < count)
  return inside.map((annotation, index) => (
    <div
      key={index}
      className="group/flag absolute inset-y-0 w-0 focus-within:z-1 hover:z-1"
      style={{ left: `${along.at(annotation.at)}%` }}
    >
      <span
        aria-hidden
        className="absolute inset-y-0 border-l border-dashed border-line-strong group-hover/flag:border-muted"
      />
      <Flag
        annotation={annotation}
        lift={inside.slice(0, index).filter(({ at }) => at === annotation.at).length}
      />
      <span
        aria-hidden
        className={clsx(
          'pointer-events-none absolute bottom-5 w-max max-w-48 rounded-md bg-ink px-2 py-1 text-xs wrap-anywhere text-canvas',
          'opacity-0 transition-opacity group-focus-within/flag:opacity-100 group-hover/flag:opacity-100',
          along.at(annotation.at) > 50 ? 'right-0 translate-x-2' : 'left-0 -translate-x-2',
        )}
      >
        <bdi className="line-clamp-6">{annotation.label}</bdi>
      </span>
    </div>
  ))
}

/** At the foot of its line; several of one point stand above each other. */
function Flag({ annotation: { label, href }, lift }: { annotation: ChartAnnotation; lift: number }) {
  const look = 'absolute -left-3 grid size-6 place-items-center rounded-full'
  const style = { bottom: `${lift * 24 - 12}px` }
  const sign = (
    <>
      <span
        aria-hidden
        className="size-2.5 rotate-45 rounded-xs border-2 border-surface bg-accent ring-1 ring-accent"
      />
      <span className="sr-only">{label}</span>
    </>
  )
  return href ? (
    <Anchor href={href} className={look} style={style}>
      {sign}
    </Anchor>
  ) : (
    <button type="button" className={look} style={style}>
      {sign}
    </button>
  )
}
