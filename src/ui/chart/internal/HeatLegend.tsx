import { shortAmount, type Unit } from '#ui/format'
import { strengths, upTo } from './heat'

/** The scale of a heat map's colours. */
export function HeatLegend({ largest, unit, label }: { largest: number; unit?: Unit; label: string }) {
  return (
    <div aria-hidden className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-1 text-2xs text-muted">
      <span className="font-medium">{label}</span>
      <Strength strength={0} text="None" />
      {largest > 0 &&
        strengths.map((strength) => (
          <Strength
            key={strength}
            strength={strength}
            text={`to ${shortAmount(upTo(strength, largest), unit)}`}
          />
        ))}
    </div>
  )
}

function Strength({ strength, text }: { strength: number; text: string }) {
  return (
    <span className="inline-flex items-center gap-1.5 tabular-nums">
      <span className="size-2.5 rounded-xs ring-1 ring-line-strong ring-inset" data-heat={strength} />
      {text}
    </span>
  )
}
