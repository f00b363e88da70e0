import { clsx } from 'clsx'
import type { ChartColour } from '#ui/chart/chart'
import { ColourMark } from '#ui/chart/ColourMark'

interface VariantNameProps {
  name: string
  colour: ChartColour
  small?: boolean
}

/** The key of a variant beside its colour. */
export const VariantName = ({ name, colour, small = false }: VariantNameProps) => (
  <span className={clsx('inline-flex max-w-full items-center gap-1.5 align-middle', small && 'text-xs')}>
    <ColourMark colour={colour} />
    <bdi className="min-w-0 truncate font-mono" title={name}>
      {name}
    </bdi>
  </span>
)
