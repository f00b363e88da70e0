import { type MailContacts, refuseNonMembers, requestConfirmations } from '#alerts/contacts/contacts'
import { type GivenRecipient, withoutSecrets } from '#alerts/recipient'
import { recipientKey } from '#alerts/recipient-key'
import { recipientsShown, webhookProblem, withSecrets } from '#alerts/stored-recipients'
import { declareCollection } from '#collection/collection'
import type { CollectionDependencies, WriteContext } from '#collection/declaration'
import { shownAs } from '#collection/entry-shape'
import { refuseOutdated } from '#collection/versions'
import { withoutUndefined } from '#collection/without-undefined'
import type { Environments } from '#flags/environments'
import type { Flags } from '#flags/flags'
import type { GuardEngine } from '#flags/guards/guard-engine'
import type { Seal } from '#flags/seal'
import type { Outbound } from '#outbound/outbound'
import { may, requireEvery } from '#projects/access'
import type { Projects } from '#projects/projects'
import type { FailedOutcome } from '#projects/problems'
import { auditOf } from '#projects/stored-audit'
import type { StoreTransaction, TableSource } from '#store/store'
import { z } from 'zod'
import { banditProblem } from './bandits/bandit'
import { type Experiment, experimentStatuses, statusOf } from './experiment'
import {
  banditOf,
  changedDivision,
  changedAnalysisProblem,
  decisionProblem,
  fixedProblem,
  namedMetrics,
  newAnalysis,
  replacedBy,
  rolloutOf,
  severalVariantsOf,
} from './internal/experiment-changes'
import { experimentChange, newExperiment } from './experiment-input'
import { experimentSchema } from './internal/experiment-schema'
import { controlProblem, flagRights, usableFlag } from './internal/flag-of-experiment'
import { rolloutProblem } from './rollouts/rollout'
import { experimentsOf, saveExperiment } from './internal/store'
import { experimentTopic } from './web/published-experiments'
import { webIdOf } from './web/web-experiment-list'
import { webVariantsProblem } from './web/web-variants'

export interface ExperimentsDependencies extends CollectionDependencies {
  /** Takes the steps of rollouts. */
  guards: Pick<GuardEngine, 'begin' | 'stop' | 'ofExperiment'>
  flags: Pick<Flags, 'create' | 'revert'>
  environments: Pick<Environments, 'list'>
  projects: Pick<Projects, 'numbered'>
  contacts: MailContacts
  /** Says which webhooks are called. */
  outbound: Pick<Outbound, 'refusalOf'>
  /** Encrypts secrets of webhooks. */
  seal: Pick<Seal, 'open' | 'close'>
}

type ExperimentContext = WriteContext<ExperimentsDependencies>

const mostExperiments = 500

const shownExperiment = shownAs(
  'Experiment',
  experimentSchema.omit({ projectId: true }).extend({
    status: z.enum(experimentStatuses),
    webId: z.number().meta({ description: 'Names the experiment in preview links of web experiments' }),
  }),
)

export const experimentCollection = declareCollection({
  name: 'experiment',
  rights: { read: 'experiments:read', write: 'experiments:write' },
  newEntry: newExperiment,
  change: experimentChange,
  limit: { count: mostExperiments, message: `A project has at most ${mostExperiments} experiments.` },
  table: { list: experimentsOf, save: saveExperiment },
  idOf: ({ id }) => id,
  audit: {
    subject: ({ name }) => name,
    fields: ({
      id: _,
      projectId: _projectId,
      createdBy: _by,
      createdAt: _at,
      changedAt: _changed,
      recipients,
      ...fields
    }) => ({ ...fields, recipients: withoutSecrets(recipients) }),
  },
  prepareNew: (input, { projectId, dependencies }: ExperimentContext) =>
    usableFlag(dependencies.store, projectId, input.flag),
  applyNew: (input, { created, prepared, dependencies }) => {
    const control = input.control ?? prepared.variants[0]?.key ?? ''
    const metrics = namedMetrics(input.metrics)
    const { kind } = input
    const divided = {
      kind,
      bandit: banditOf(kind, input.bandit, undefined),
      rollout: rolloutOf(kind, input.rollout, undefined),
      analysis: newAnalysis(kind, input.analysis),
      metrics,
    }
    return (
      controlProblem(prepared, control) ??
      webVariantsProblem(prepared, input.web) ??
      decisionProblem({ startedAt: undefined, analysis: divided.analysis }, divided) ??
      banditProblem(divided, prepared.variants.length) ??
      rolloutProblem(divided, prepared) ?? {
        ...created,
        ...input,
        ...divided,
        control,
        severalVariants: severalVariantsOf(kind, input.severalVariants),
        entry: input.entry,
        web: input.web,
        recipients: withSecrets(input.recipients, [], dependencies),
        startedAt: undefined,
        endedAt: undefined,
        sizeReachedAt: undefined,
        conclusion: undefined,
        archivedAt: undefined,
        changedAt: created.createdAt,
      }
    )
  },
  prepareChange: (before, _change, { projectId, dependencies }) =>
    usableFlag(dependencies.store, projectId, before.flag),
  applyChange: async (before, input, viewer, { now, prepared, projectId, transaction, dependencies }) => {
    // from its start on, a job moves the flag by these settings
    if (statusOf(before) === 'running' && before.kind !== 'fixed') requireEvery(flagRights, projectId, viewer)
    const { entry, metrics, analysis, web, bandit, rollout, recipients, changedAt, ...change } = input
    const outdated = await refuseOutdatedExperiment(transaction, before, changedAt)
    if (outdated) return outdated
    const { control = before.control } = change
    const divided = changedDivision(before, { ...change, bandit, rollout, metrics, analysis })
    return (
      fixedProblem(before, { kind: change.kind, exposed: change.exposure ?? change.unit ?? entry, web }) ??
      controlProblem(prepared, control) ??
      webVariantsProblem(prepared, web ?? undefined) ??
      banditProblem(divided, prepared.variants.length) ??
      changedAnalysisProblem(before, divided) ??
      rolloutProblem(divided, prepared) ?? {
        ...before,
        ...withoutUndefined(change),
        ...divided,
        control,
        entry: replacedBy(entry, before.entry),
        web: replacedBy(web, before.web),
        recipients: changedRecipients(recipients, before, dependencies),
        changedAt: now,
      }
    )
  },
  refuseSave: recipientsProblem,
  afterSave: requestConfirmations,
  showTo: shownTo,
  topic: experimentTopic,
  api: {
    summaries: {
      list: 'List experiments',
      find: 'Read an experiment',
      create: 'Make an experiment of a flag with variants',
      change: 'Change an experiment; who is exposed stays as it is once it runs',
    },
    shape: shownExperiment.shape,
    show: (experiment) =>
      shownExperiment.show({ ...experiment, webId: webIdOf(experiment.id), status: statusOf(experiment) }),
  },
})

/** Recipients that are not given stay as they are. */
const changedRecipients = (
  given: readonly GivenRecipient[] | undefined,
  { recipients }: Experiment,
  dependencies: ExperimentsDependencies,
) => withSecrets(given ?? recipients, recipients, dependencies)

/** Looks at new recipients only, so that an experiment with old ones can still be ended. */
async function recipientsProblem(
  transaction: StoreTransaction,
  experiment: Experiment,
  context: ExperimentContext & { before: Experiment | undefined },
): Promise<FailedOutcome | undefined> {
  const had = new Set(context.before?.recipients.map(recipientKey))
  const added = experiment.recipients.filter((one) => !had.has(recipientKey(one)))
  return (
    (await refuseNonMembers(transaction, experiment, context)) ??
    webhookProblem(added, context.dependencies.outbound)
  )
}

function shownTo(
  experiment: Experiment,
  { projectId, viewer, dependencies: { seal } }: ExperimentContext,
): Experiment {
  const mayChange = may('experiments:write', projectId, viewer)
  return { ...experiment, recipients: recipientsShown(experiment.recipients, { mayChange, seal }) }
}

/** Refuses a change or a step that is based on an earlier state of the experiment. */
export const refuseOutdatedExperiment = (
  source: TableSource,
  before: Experiment,
  basis: string | undefined,
): Promise<FailedOutcome | undefined> =>
  refuseOutdated({
    name: before.name,
    field: 'changedAt',
    basis,
    current: before.changedAt.toISOString(),
    latest: async () => ({ by: await authorOfLatest(source, before), at: before.changedAt }),
  })

const mostEntriesRead = 200

/** The name of who made the latest change, from the audit log: an experiment has no versions of its own. */
async function authorOfLatest(
  source: TableSource,
  { projectId, name, changedAt }: Experiment,
): Promise<string | undefined> {
  const entries = await auditOf(source, projectId, [], { size: mostEntriesRead })
  // the entry is written after the change, in the same transaction
  return entries.findLast(
    ({ action, subject, at }) => action.startsWith('experiment.') && subject === name && at >= changedAt,
  )?.actor.name
}
