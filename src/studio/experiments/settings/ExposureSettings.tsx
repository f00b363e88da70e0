import type { Experiment } from '#experiments/experiment'
import type { ExperimentFieldsProps } from '../editor/AboutFields'
import { ExposureFields, SeveralVariantsField } from '../editor/ExposureFields'
import { FixedExposure } from './FixedExposure'

/** Who counts; fixed once the experiment has started. */
export const ExposureSettings = ({
  experiment,
  ...fields
}: ExperimentFieldsProps & { experiment: Experiment }) => (
  <div className="flex flex-col gap-4">
    {experiment.startedAt ? <FixedExposure experiment={experiment} /> : <ExposureFields {...fields} />}
    {fields.draft.kind !== 'bandit' && <SeveralVariantsField {...fields} />}
  </div>
)
