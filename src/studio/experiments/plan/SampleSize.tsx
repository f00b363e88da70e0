import type { ExperimentPlan } from '#experiments/planning/plan'
import { Button } from '#ui/Button'
import { Field } from '#ui/form/Field'
import { TextInput } from '#ui/form/TextInput'
import { FailedMessage } from '#ui/page/FailedMessage'
import { Panel } from '#ui/page/Panel'
import { getProduct } from '#studio/product'
import { tryEngine } from '#studio/parts/refusals'
import type { OpenExperiment } from '../open-experiment'
import { DecideAtSize } from './DecideAtSize'
import { Planned } from './Planned'
import { sizeToDecideAt } from './planned-size'

interface SampleSizeProps {
  opened: OpenExperiment
  path: string
  event: string
}

/** The duration of the experiment, estimated from the project’s own history. */
export async function SampleSize({ opened, path, event }: SampleSizeProps) {
  const { project, viewer, experiment } = opened
  const request = { ...(path !== '' && { path }), ...(event !== '' && { event }) }
  const result = await tryEngine(() =>
    getProduct().experiments.planning.plan(project.id, experiment.id, request, viewer),
  )
  return (
    <Panel title="Sample size and running time">
      <div className="flex flex-col gap-5">
        <SourceForm path={path} event={event} />
        {result.done ? (
          <>
            <Planned plan={result.plan} sentences={result.sentences} />
            <PlannedSize opened={opened} plan={result.plan} />
          </>
        ) : (
          <FailedMessage
            title="Nothing could be planned"
            body={result.problems.map(({ message }) => message).join(' ')}
          />
        )}
      </div>
    </Panel>
  )
}

/** The page or event at which people enter the experiment. The form is ordinary: the address holds the answer. */
const SourceForm = ({ path, event }: { path: string; event: string }) => (
  <form method="get" className="flex flex-wrap items-end gap-3">
    <Field label="Page path">
      <TextInput name="path" defaultValue={path} placeholder="/pricing" />
    </Field>
    <Field label="Event">
      <TextInput name="event" defaultValue={event} placeholder="What exposes people" />
    </Field>
    <Button type="submit">Plan again</Button>
  </form>
)

/** A draft can decide at the size that is planned, unless it does. */
function PlannedSize({ opened, plan }: { opened: OpenExperiment; plan: ExperimentPlan }) {
  const { project, experiment, status, whyNot } = opened
  const size = status === 'draft' ? sizeToDecideAt(experiment, plan) : undefined
  if (size === undefined) return null
  return <DecideAtSize slug={project.slug} id={experiment.id} units={size} whyNot={whyNot} />
}
