import type { Experiment } from '#experiments/experiment'
import { filterInWords } from '#filters/words'
import { DescriptionList } from '#ui/DescriptionList'
import type { ExperimentFieldsProps } from '../editor/AboutFields'
import { ExposureFields, SeveralVariantsField } from '../editor/ExposureFields'

/** The exposure settings; fixed once the experiment has started. */
export const ExposureSettings = ({
  experiment,
  ...fields
}: ExperimentFieldsProps & { experiment: Experiment }) => (
  <div className="flex flex-col gap-4">
    {experiment.startedAt ? <FixedExposure experiment={experiment} /> : <ExposureFields {...fields} />}
    {fields.draft.kind !== 'bandit' && <SeveralVariantsField {...fields} />}
  </div>
)

type ExposedExperiment = Pick<Experiment, 'exposure' | 'unit' | 'entry'>

/** The exposure of an experiment that has started, which can no longer change. */
function FixedExposure({ experiment }: { experiment: ExposedExperiment }) {
  const { exposure, unit, entry } = experiment
  return (
    <div className="flex flex-col gap-2">
      <p className="text-muted">
        Who is exposed cannot change once the experiment has started: its numbers would mix two definitions.
        Duplicate it to change them.
      </p>
      <DescriptionList
        facts={[
          { term: 'Exposure', value: exposureWords(exposure) },
          { term: 'Unit', value: unit.by === 'group' ? `Groups: ${unit.group}` : unitLabels[unit.by] },
          { term: 'Who may enter', value: entry ? filterInWords(entry) : 'Everyone who is exposed' },
        ]}
      />
    </div>
  )
}

const unitLabels = { person: 'Persons', session: 'Sessions', device: 'Devices' }

function exposureWords(exposure: Experiment['exposure']): string {
  if (exposure.by === 'flag') return 'Code reads the flag'
  if (exposure.by === 'view') return 'The variant is displayed'
  const { event, property, filter } = exposure
  return `Event “${event}”, variant in “${property}”${filter ? `, where ${filterInWords(filter)}` : ''}`
}
