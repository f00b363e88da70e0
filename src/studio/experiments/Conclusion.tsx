import { Notice } from '#ui/page/Notice'
import { CalendarDate, clockOf } from '#studio/parts/RelativeTime'
import type { OpenExperiment } from './open-experiment'

const outcomes = {
  shipped: 'was shipped',
  stopped: 'The experiment was stopped',
  undecided: 'The experiment ended undecided',
  'rolled-back': 'The rollout was rolled back',
}

const tones = { shipped: 'success', stopped: 'info', undecided: 'info', 'rolled-back': 'danger' } as const

/** The conclusion of the experiment: its outcome, author and date. */
export function Conclusion({ opened: { experiment, project } }: { opened: OpenExperiment }) {
  const { conclusion } = experiment
  if (!conclusion) return null
  const { outcome, variant, note, by, at } = conclusion
  return (
    <Notice
      tone={tones[outcome]}
      title={variant === undefined ? outcomes[outcome] : `“${variant}” ${outcomes.shipped}`}
    >
      {note && <p className="whitespace-pre-line text-ink">{note}</p>}
      By {by}, <CalendarDate at={at} clock={clockOf(project)} />
    </Notice>
  )
}
