import { aboutExperiments } from '#alerts/experiment-notices'
import type { GivenRecipient } from '#alerts/recipient'
import { givenRecipients } from '#alerts/recipient-key'
import { writerClass } from '#collection/collection'
import type { EntryOutcome } from '#collection/declaration'
import type { Flag } from '#flags/flag'
import { flagNamed } from '#flags/store'
import { operator, requireEvery, requireRight, type Viewer } from '#projects/access'
import { nonMembersAmong } from '#projects/members'
import { failedOutcome, type FailedOutcome, type Outcome, parseInput } from '#projects/problems'
import type { StoreTransaction } from '#store/store'
import { banditProblem } from './bandits/bandit'
import { evenFlag } from './bandits/internal/bandit-flag'
import { beginBandit } from './bandits/internal/begin'
import { type Conclusion, type Experiment, type ExperimentMetric, statusOf } from './experiment'
import { namedMetrics } from './internal/experiment-changes'
import { experimentCollection, refuseOutdatedExperiment } from './experiment-collection'
import {
  endInput,
  newExperiment,
  pastRunInput,
  savedMetricsInput,
  shipInput,
  startInput,
} from './experiment-input'
import {
  controlProblem,
  flagRights,
  markFlag,
  ofNewFlag,
  ownFlagInput,
  shippedFlag,
  turnedOn,
  usableFlag,
} from './internal/flag-of-experiment'
import { flagToReopen, reopened, reopeningProblem, takingBackProblem } from './internal/reopening'
import { resolvedMetrics } from './metrics/saved-metric'
import { savedMetricsOf } from './metrics/store'
import { firstError, storedChecks } from './planning/readiness'
import { guardPlanOf, rolloutProblem } from './rollouts/rollout'
import { experimentsOf } from './internal/store'
import { forgetTold } from './watch/internal/store'
import { type ExperimentTemplate, experimentTemplates } from './internal/templates'

type ExperimentOutcome = EntryOutcome<'experiment', Experiment>

interface CompleteTemplate extends Omit<ExperimentTemplate, 'input'> {
  input: { hypothesis: string; metrics: ExperimentMetric[] }
}

const mostMetrics = 30

/** Reads the names of environments: a key that may write experiments need not have the right to read the project. */
const reader = operator('experiments')

/** The experiments of a project, from the hypothesis to the conclusion. */
export class Experiments extends writerClass(experimentCollection) {
  async list(projectId: number, viewer: Viewer): Promise<Experiment[]> {
    requireRight('experiments:read', projectId, viewer)
    const all = await this.visibleTo(viewer, projectId)
    return all.map((experiment) => this.shown(experiment, projectId, viewer))
  }

  async find(projectId: number, id: string, viewer: Viewer): Promise<Experiment | undefined> {
    return await this.read(projectId, id, viewer)
  }

  /**
   * Creates a draft with a flag of its own, or neither of them. The flag is off in every environment. Problems of the
   * flag have field names that begin with `newFlag`.
   */
  async createWithFlag(
    projectId: number,
    { flag, experiment }: { flag: unknown; experiment: unknown },
    viewer: Viewer,
  ): Promise<ExperimentOutcome> {
    requireRight('experiments:write', projectId, viewer)
    const { flags, environments } = this.dependencies
    const parsed = parseInput(newExperiment, experiment)
    if (!parsed.done) return parsed
    const names = (await environments.list(projectId, reader)).map(({ name }) => name)
    let drafted: ExperimentOutcome | undefined
    const created = await flags.create(
      projectId,
      ownFlagInput(flag, parsed.value, names),
      viewer,
      async (transaction) => {
        const prepared = await usableFlag(transaction, projectId, parsed.value.flag)
        drafted =
          'done' in prepared
            ? prepared
            : await this.insert(transaction, parsed.value, {
                ...this.contextOf(projectId, viewer),
                prepared,
              })
        return drafted
      },
    )
    if (drafted) return drafted
    return created.done ? this.missing() : ofNewFlag(created)
  }

  /** Adds saved metrics to a draft, by id or by the tag of their group. */
  async addSavedMetrics(
    projectId: number,
    id: string,
    input: unknown,
    viewer: Viewer,
  ): Promise<ExperimentOutcome> {
    requireRight('experiments:write', projectId, viewer)
    const parsed = parseInput(savedMetricsInput, input)
    if (!parsed.done) return parsed
    const wanted = parsed.value
    return await this.alter('experiment.change', projectId, id, viewer, async (before, transaction) => {
      if (before.startedAt)
        return failedOutcome(
          'The experiment has started. Add a metric of its own, which says how it was chosen.',
        )
      const all = await savedMetricsOf(transaction, projectId)
      const unknown = 'ids' in wanted && wanted.ids.find((one) => !all.some((saved) => saved.id === one))
      if (unknown) return failedOutcome(`There is no saved metric "${unknown}" in this project.`, 'ids')
      const chosen = all.filter((saved) =>
        'ids' in wanted ? wanted.ids.includes(saved.id) : saved.tags.includes(wanted.tag),
      )
      if (chosen.length === 0) return failedOutcome('No saved metric has this tag.', 'tag')
      const added = chosen.filter(
        (saved) => !before.metrics.some(({ savedMetric }) => savedMetric === saved.id),
      )
      const metrics = namedMetrics([
        ...before.metrics,
        ...added.map(({ id: savedMetric, name, goal, measured }) => ({
          name,
          goal,
          measured,
          savedMetric,
          role: wanted.role,
          margin: 5,
        })),
      ])
      if (metrics.length > mostMetrics)
        return failedOutcome(`An experiment has at most ${mostMetrics} metrics.`, 'metrics')
      const flag = await flagNamed(transaction, projectId, before.flag)
      const refused = banditProblem({ ...before, metrics }, flag?.variants.length ?? 0)
      if (refused) return refused
      return { ...before, metrics, changedAt: this.dependencies.world.now() }
    })
  }

  /** Templates of experiments, the same in every project, with complete metrics. */
  templates(projectId: number, viewer: Viewer): CompleteTemplate[] {
    requireRight('experiments:read', projectId, viewer)
    return experimentTemplates.map(({ input, ...template }) => ({
      ...template,
      input: { ...input, metrics: namedMetrics(newExperiment.shape.metrics.parse(input.metrics)) },
    }))
  }

  /** Begins to count exposures. One flag has one running experiment at a time. */
  async start(projectId: number, id: string, input: unknown, viewer: Viewer): Promise<ExperimentOutcome> {
    requireEvery(flagRights, projectId, viewer)
    const parsed = parseInput(startInput, input ?? {})
    if (!parsed.done) return parsed
    const now = this.dependencies.world.now()
    const { at, turnsFlagOn, changedAt } = parsed.value
    const startedAt = at === undefined ? now : new Date(at)
    if (startedAt > now) return failedOutcome('An experiment cannot begin in the future.', 'at')
    return await this.alter('experiment.start', projectId, id, viewer, async (before, transaction) => {
      const unstartable =
        startProblem(before, { isPast: startedAt < now }) ??
        (await refuseOutdatedExperiment(transaction, before, changedAt))
      if (unstartable) return unstartable
      const usable = await usableFlag(transaction, projectId, before.flag)
      if ('done' in usable) return usable
      const flag = turnsFlagOn ? turnedOn(usable) : usable
      const others = await experimentsOf(transaction, projectId)
      const error = firstError(storedChecks({ experiment: before, flag, others, startsAt: startedAt }))
      if (error) return failedOutcome(error.sentence, error.field)
      const metrics = resolvedMetrics(before.metrics, await savedMetricsOf(transaction, projectId))
      const refused = banditProblem({ ...before, metrics }, flag.variants.length)
      if (refused) return refused
      const started = { ...before, metrics, startedAt, changedAt: now }
      const ramp = await this.beginRamp(transaction, started, flag, viewer)
      if (!ramp.done) return ramp
      // the first step of a ramp is a version of its own
      const ramped = (before.rollout && (await flagNamed(transaction, projectId, flag.key))) ?? flag
      const begun = before.kind === 'bandit' ? evenFlag(ramped) : ramped
      const note = `The experiment “${before.name}” began.`
      const marked = await markFlag(transaction, begun, true, { note, viewer, now })
      if (before.kind === 'bandit')
        await beginBandit(transaction, before, { flag: marked, by: viewer.name, at: now })
      return started
    })
  }

  /** Records that a draft ran in another product: its exposures of that time count, and its flag stays as it is. */
  async recordPastRun(
    projectId: number,
    id: string,
    input: unknown,
    viewer: Viewer,
  ): Promise<ExperimentOutcome> {
    requireRight('experiments:write', projectId, viewer)
    const parsed = parseInput(pastRunInput, input)
    if (!parsed.done) return parsed
    const [startedAt, endedAt] = [new Date(parsed.value.from), new Date(parsed.value.until)]
    return await this.alter('experiment.end', projectId, id, viewer, async (before, transaction) => {
      const now = this.dependencies.world.now()
      if (before.startedAt) return failedOutcome('The experiment has started already.')
      if (before.kind !== 'fixed')
        return failedOutcome('Only an experiment with fixed weights can be recorded.')
      if (startedAt >= endedAt || endedAt > now)
        return failedOutcome('A run that is over ended after its start, and before now.', 'until')
      const metrics = resolvedMetrics(before.metrics, await savedMetricsOf(transaction, projectId))
      const conclusion = { outcome: 'stopped', variant: undefined, note: parsed.value.note } as const
      return {
        ...concluded({ ...before, metrics, startedAt }, { ...conclusion, by: viewer.name, at: now }),
        endedAt,
      }
    })
  }

  /** Ends the experiment without a winner; its flag stays as it is. */
  async end(projectId: number, id: string, input: unknown, viewer: Viewer): Promise<ExperimentOutcome> {
    requireEvery(flagRights, projectId, viewer)
    const parsed = parseInput(endInput, input ?? {})
    if (!parsed.done) return parsed
    const { outcome, note, rollsBack, at, changedAt } = parsed.value
    return await this.alter('experiment.end', projectId, id, viewer, async (before, transaction) => {
      const refused = endProblem(before) ?? (await refuseOutdatedExperiment(transaction, before, changedAt))
      if (refused) return refused
      // a change of the flag by the end is not a phase of the experiment
      const now = this.dependencies.world.now()
      const endedAt = at === undefined ? undefined : new Date(at)
      const misplaced = endedAt && endTimeProblem(before, endedAt, now)
      if (misplaced) return misplaced
      if (rollsBack && before.kind !== 'rollout')
        return failedOutcome('Only a rollout goes back to what its flag was before.', 'rollsBack')
      await this.stopRamp(transaction, before, { rollsBack, why: `${viewer.name} ended it.` }, viewer)
      const flag = await flagNamed(transaction, projectId, before.flag)
      if (flag)
        await markFlag(transaction, flag, false, {
          note: `The experiment “${before.name}” ended.`,
          viewer,
          now,
        })
      const conclusion = { outcome: rollsBack ? ('rolled-back' as const) : outcome, variant: undefined, note }
      return { ...concluded(before, { ...conclusion, by: viewer.name, at: now }), endedAt: endedAt ?? now }
    })
  }

  /** Gives one variant to everyone, but to those who are held out, and ends the experiment. */
  async ship(projectId: number, id: string, input: unknown, viewer: Viewer): Promise<ExperimentOutcome> {
    requireEvery(flagRights, projectId, viewer)
    const parsed = parseInput(shipInput, input)
    if (!parsed.done) return parsed
    const { variant, note, changedAt } = parsed.value
    return await this.alter('experiment.ship', projectId, id, viewer, async (before, transaction) => {
      const refused = endProblem(before) ?? (await refuseOutdatedExperiment(transaction, before, changedAt))
      if (refused) return refused
      const now = this.dependencies.world.now()
      const flag = await usableFlag(transaction, projectId, before.flag)
      if ('done' in flag) return flag
      const unknown = controlProblem(flag, variant)
      if (unknown)
        return { ...unknown, problems: unknown.problems.map((one) => ({ ...one, field: 'variant' })) }
      const why = `${viewer.name} shipped “${variant}”.`
      await this.stopRamp(transaction, before, { rollsBack: false, why }, viewer)
      const shipped = await markFlag(transaction, shippedFlag(flag, variant, before.name), false, {
        note: `The experiment “${before.name}” shipped “${variant}”.`,
        viewer,
        now,
      })
      const { version: flagVersion } = shipped
      return concluded(before, { outcome: 'shipped', variant, note, by: viewer.name, at: now, flagVersion })
    })
  }

  /** Lets an ended experiment run on. Its flag stays as it is; exposures since the end count. */
  async reopen(projectId: number, id: string, viewer: Viewer): Promise<ExperimentOutcome> {
    requireEvery(flagRights, projectId, viewer)
    return await this.alter('experiment.reopen', projectId, id, viewer, async (before, transaction) => {
      const refused = await reopeningProblem(transaction, before)
      if (refused) return refused
      const flag = await flagToReopen(transaction, before)
      if ('done' in flag) return flag
      const now = this.dependencies.world.now()
      const note = `The experiment “${before.name}” was reopened.`
      await markFlag(transaction, flag, true, { note, viewer, now })
      await forgetTold(transaction, id)
      return reopened(before, now)
    })
  }

  /** Makes the flag what it was before a variant was shipped, and lets the experiment run on: both or neither. */
  async takeBack(projectId: number, id: string, viewer: Viewer): Promise<ExperimentOutcome> {
    requireEvery(flagRights, projectId, viewer)
    const { store, flags, world } = this.dependencies
    const known = await this.lookUp(viewer, projectId, id)
    const flag = known && (await flagNamed(store, projectId, known.flag))
    if (!flag) return this.missing()
    const { version } = flag
    const refused = await takingBackProblem(store, known, { flag, version })
    if (refused) return refused
    let taken: ExperimentOutcome = this.missing()
    // everything is looked at again where it is written
    const alongside = async (transaction: StoreTransaction, reverted: Flag) => {
      const before = await this.lookUp(viewer, projectId, id, transaction)
      if (!before) return taken
      await forgetTold(transaction, id)
      const since = { flag, version: reverted.version - 1 }
      taken =
        (await takingBackProblem(transaction, before, since)) ??
        (await this.save(transaction, 'experiment.take-back', reopened(before, world.now()), {
          ...this.contextOf(projectId, viewer),
          before,
        }))
      return taken
    }
    const hasExperiment = true
    const reverted = await flags.revert(projectId, flag.key, version - 1, viewer, {
      hasExperiment,
      alongside,
    })
    return reverted.done ? taken : reverted
  }

  async archive(projectId: number, id: string, viewer: Viewer): Promise<ExperimentOutcome> {
    return await this.alter('experiment.archive', projectId, id, viewer, (before) =>
      statusOf(before) === 'running'
        ? failedOutcome('The experiment is running. End it first.')
        : { ...before, archivedAt: before.archivedAt ?? this.dependencies.world.now() },
    )
  }

  async restore(projectId: number, id: string, viewer: Viewer): Promise<ExperimentOutcome> {
    return await this.alter('experiment.restore', projectId, id, viewer, (before) => ({
      ...before,
      archivedAt: undefined,
    }))
  }

  /** Returns the recipients who get no mail at present, with the reason. */
  async obstacles({ projectId, recipients }: Experiment, viewer: Viewer) {
    requireRight('experiments:read', projectId, viewer)
    return await this.dependencies.contacts.obstacles(projectId, aboutExperiments, recipients)
  }

  /** Makes a draft with the same flag, metrics, settings and recipients, without former members. */
  async duplicate(projectId: number, id: string, viewer: Viewer): Promise<ExperimentOutcome> {
    requireRight('experiments:write', projectId, viewer)
    const known = await this.lookUp(viewer, projectId, id)
    if (!known) return this.missing()
    const { kind, bandit, rollout, hypothesis, flag, control } = known
    const { exposure, unit, entry, severalVariants, metrics, analysis, web } = known
    const recipients = await this.recipientsToCopy(known)
    const name = `${known.name} (copy)`.slice(0, 200)
    const purpose = { name, kind, hypothesis, flag, control, bandit, rollout }
    return await this.create(
      projectId,
      { ...purpose, exposure, unit, entry, severalVariants, metrics, analysis, web, recipients },
      viewer,
    )
  }

  private async recipientsToCopy({ projectId, recipients }: Experiment): Promise<GivenRecipient[]> {
    const members = recipients.flatMap((one) => (one.by === 'member' ? [one.member] : []))
    const former = await nonMembersAmong(this.dependencies.store, projectId, members)
    return givenRecipients(recipients).filter((one) => one.by !== 'member' || !former.includes(one.member))
  }

  /** Begins the ramp of a rollout; other kinds have none. Nothing is saved if it is refused. */
  private async beginRamp(
    transaction: StoreTransaction,
    experiment: Experiment,
    flag: Flag,
    viewer: Viewer,
  ): Promise<Outcome> {
    const { projectId, rollout } = experiment
    if (!rollout) return { done: true }
    const refused = rolloutProblem(experiment, flag)
    if (refused) return refused
    const plan = guardPlanOf(experiment, rollout, flag.variants)
    return await this.dependencies.guards.begin(transaction, projectId, plan, viewer)
  }

  private async stopRamp(
    transaction: StoreTransaction,
    { projectId, id, rollout }: Experiment,
    how: { rollsBack: boolean; why: string },
    viewer: Viewer,
  ): Promise<void> {
    const guard = rollout && (await this.dependencies.guards.ofExperiment(transaction, projectId, id))
    if (guard?.state === 'running') await this.dependencies.guards.stop(transaction, guard, how, viewer)
  }
}

const concluded = (before: Experiment, conclusion: Conclusion): Experiment => ({
  ...before,
  endedAt: conclusion.at,
  changedAt: conclusion.at,
  conclusion,
})

function startProblem(
  { startedAt, kind }: Experiment,
  { isPast }: { isPast: boolean },
): FailedOutcome | undefined {
  if (startedAt) return failedOutcome('The experiment has started already.')
  if (!isPast || kind === 'fixed') return undefined
  return kind === 'bandit' ? startsNow : beginsWithStep
}

function endProblem(experiment: Experiment): FailedOutcome | undefined {
  if (statusOf(experiment) === 'running') return undefined
  return failedOutcome(
    experiment.startedAt ? 'The experiment has ended already.' : 'The experiment has not started.',
  )
}

function endTimeProblem({ startedAt }: Experiment, endedAt: Date, now: Date): FailedOutcome | undefined {
  if (endedAt > now) return failedOutcome('An experiment cannot end in the future.', 'at')
  if (startedAt && endedAt <= startedAt) return failedOutcome('An experiment ends after its start.', 'at')
  return undefined
}

const beginsWithStep = failedOutcome('A rollout begins with its first step, now.', 'at')
const startsNow = failedOutcome(
  'A bandit starts now: its weights are equal from the start on, and earlier exposures had others.',
  'at',
)
