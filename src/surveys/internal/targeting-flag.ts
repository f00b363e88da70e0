import type { Filter } from '#filters/filter'
import { type Condition, type ConditionSet, type Flag, mainEnvironment } from '#flags/flag'
import { editableFlag } from '#flags/flag-schema'
import { environmentsOf, flagNamed, nextFlagId, saveFlags } from '#flags/store'
import { exposure } from '#insights/compile/exposure'
import { failedOutcome, type FailedOutcome } from '#projects/problems'
import type { StoreTransaction } from '#store/store'
import { iterationAt, type Survey } from '../survey'

/** The flag that decides who is eligible for a survey. Its id ends in chance, also where it is a time-ordered UUID. */
export const targetingFlagKey = (surveyId: string): string =>
  `${exposure.surveyTargeting}${surveyId.replaceAll('-', '').slice(-12)}`

/** The most alternatives. More would make the flag slower than its survey is worth. */
export const mostAlternatives = 50

/** The ways to meet a filter: all conditions of one of these lists hold. */
export function alternativesOf(filter: Filter): Condition[][] {
  if ('any' in filter) return filter.any.flatMap(alternativesOf)
  if ('all' in filter)
    return filter.all.reduce<Condition[][]>(
      (found, one) => {
        const next = alternativesOf(one)
        return found.flatMap((conditions) => next.map((more) => [...conditions, ...more])).slice(0, 1000)
      },
      [[]],
    )
  return [[filter]]
}

/** Whether the survey's eligibility depends on the person. A survey that is always shown does not remember its visitors. */
const needsTargetingFlag = ({ schedule, targeting }: Pick<Survey, 'schedule' | 'targeting'>): boolean =>
  schedule.kind !== 'always' || targeting.person !== undefined || (targeting.percentage ?? 100) < 100

const runsAt = ({ startsAt, endsAt, archivedAt }: Survey, now: Date): boolean =>
  startsAt !== undefined && !archivedAt && !(endsAt && endsAt <= now)

/** The key of the flag that holds the survey's conditions on the person; undefined for a survey without any. */
export const targetingFlagOf = (survey: Pick<Survey, 'id' | 'schedule' | 'targeting'>): string | undefined =>
  needsTargetingFlag(survey) ? targetingFlagKey(survey.id) : undefined

/** The condition sets of the flag: not answered or dismissed yet, waited long enough, and the person's own conditions. */
function targetingSets(survey: Survey, now: Date): ConditionSet[] {
  const { targeting } = survey
  const own = targeting.person ? alternativesOf(targeting.person) : [[]]
  const percentage = Math.round((targeting.percentage ?? 100) * 100) / 100
  return waitAlternatives(survey).flatMap((waited) =>
    own.map((conditions) => ({
      description: '',
      conditions: [...notSeenConditions(survey, now), ...waited, ...conditions],
      percentage,
      isLast: false,
    })),
  )
}

/** A survey that appears after every trigger is shown again to persons who have answered or dismissed it. */
function notSeenConditions(survey: Survey, now: Date): Condition[] {
  if (survey.schedule.kind === 'always' || survey.targeting.repeatsOnTrigger) return []
  const iteration = iterationAt(survey, now)
  const ending = iteration ? `/${iteration.number}` : ''
  return ['$survey_dismissed', '$survey_responded'].map((name) => ({
    type: 'person',
    key: `${name}/${survey.id}${ending}`,
    operator: 'is_not_set',
  }))
}

function waitAlternatives({ schedule, targeting: { waitDays } }: Survey): Condition[][] {
  if (waitDays === undefined || schedule.kind === 'always') return [[]]
  const lastSeen = { type: 'person', key: '$survey_last_seen_date' } as const
  return [
    [{ ...lastSeen, operator: 'is_not_set' }],
    [{ ...lastSeen, operator: 'is_date_before', value: `-${waitDays}d` }],
  ]
}

/**
 * Writes the flag of a survey in the transaction that writes the survey, so that no visitor is decided by one without
 * the other. Ended and archived surveys need none. A flag of that key which is not the survey's own stays as it is:
 * changing it would take the right to flags.
 */
export async function keepTargetingFlag(
  transaction: StoreTransaction,
  survey: Survey,
  { by, now }: { by: string; now: Date },
): Promise<FailedOutcome | undefined> {
  const { projectId } = survey
  const before = await flagNamed(transaction, projectId, targetingFlagKey(survey.id))
  const isNeeded = runsAt(survey, now) && needsTargetingFlag(survey)
  if (before && before.keptBySurvey !== survey.id) return isNeeded ? foreignFlag(before) : undefined
  if (!before && !isNeeded) return undefined
  const base = before ?? newFlag(survey, await nextFlagId(transaction), { by, now })
  const names = [mainEnvironment, ...(await environmentsOf(transaction, projectId)).map(({ name }) => name)]
  const setting = { isOn: true, conditions: targetingSets(survey, now), payloads: {} }
  const flag: Flag = isNeeded
    ? {
        ...base,
        archivedAt: undefined,
        environments: Object.fromEntries(names.map((name) => [name, setting])),
      }
    : { ...base, archivedAt: base.archivedAt ?? now }
  if (before && isSame(flag, before)) return undefined
  const changed = { ...flag, version: (before?.version ?? 0) + 1, changedAt: now }
  await saveFlags(transaction, [{ flag: changed, by, note: undefined }])
  await transaction.announce('flags')
  return undefined
}

const foreignFlag = ({ key }: Flag): FailedOutcome =>
  failedOutcome(
    `The survey needs a flag with the key “${key}”, and there is one that is not its own. Duplicate the survey, and launch the copy.`,
  )

/** Compares flags as the store keeps them: without fields that are undefined. */
const isSame = (one: Flag, other: Flag): boolean =>
  JSON.stringify([one.environments, one.archivedAt]) ===
  JSON.stringify([other.environments, other.archivedAt])

const newFlag = (
  { id: surveyId, projectId, name }: Survey,
  id: number,
  { by, now }: { by: string; now: Date },
): Flag => ({
  ...editableFlag.parse({ description: `Who may see the survey “${name}”` }),
  id,
  projectId,
  key: targetingFlagKey(surveyId),
  hasExperiment: false,
  keptBySurvey: surveyId,
  version: 0,
  createdBy: by,
  createdAt: now,
  changedAt: now,
  archivedAt: undefined,
})
