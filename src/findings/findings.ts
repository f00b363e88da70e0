import { answerSettingsOf } from '#insights/project-settings'
import { AccessRefusedError, may, requireRight, type Viewer } from '#projects/access'
import type { Project } from '#projects/project'
import type { Projects } from '#projects/projects'
import { isUsual, leastWeeks } from '#statistics/usual-range'
import { plural } from '#ui/format'
import type { World } from '#world/world'
import type { Finding, FindingUrgency, WeeklyFindings } from './finding'
import { type ComparedNumbers, comparedNumbers } from './internal/compared-numbers'
import type { FindingRule, FindingServices } from './internal/rule'
import { rules } from './internal/rules'
import { type ComparedWeeks, comparedWeeks } from './internal/weeks'

interface FindingsDependencies extends FindingServices {
  projects: Pick<Projects, 'numbered'>
  world: World
}

const mostFindings = 3

/** Says in a few sentences what of the last whole week is worth a look, and what to do about it. */
export class Findings {
  constructor(private readonly dependencies: FindingsDependencies) {}

  /** Returns the most important findings, by the rules whose rights the viewer has. */
  async ofLastWeek(projectId: number, viewer: Viewer): Promise<WeeklyFindings> {
    requireRight('project:read', projectId, viewer)
    const { projects, world, ...services } = this.dependencies
    const project = projects.numbered(projectId)
    if (!project) throw new AccessRefusedError('not-found', 'There is no such project.')
    const { timeZone } = project
    const { weekStart } = answerSettingsOf(project)
    const weeks = comparedWeeks({ timeZone, weekStart, now: world.now() })
    const mayCompare = may('events:read', projectId, viewer)
    const numbers = once(() =>
      mayCompare ? this.numbersOf(project, weeks, viewer) : Promise.resolve(noNumbers),
    )
    const context = { ...services, projectId, viewer, weeks, numbers }
    const allowed = rules.filter(({ needs }) => needs.every((right) => may(right, projectId, viewer)))
    const [comparison, ...found] = await Promise.all([
      numbers(),
      ...allowed.map((rule) => rule.find(context)),
    ])
    return {
      week: weeks.words,
      findings: mostImportant(found.flat(), allowed),
      ...comparisonWords(comparison, weeks),
    }
  }

  private async numbersOf(project: Project, weeks: ComparedWeeks, viewer: Viewer): Promise<ComparedNumbers> {
    const { insights } = this.dependencies
    const goals = await insights.goals.list(project.id, viewer)
    const { currency } = answerSettingsOf(project)
    return await comparedNumbers(project.id, { weeks, goals, currency, viewer }, insights)
  }
}

const noNumbers: ComparedNumbers = { numbers: [], weeks: 0, isBehind: false }

function once<Value>(work: () => Promise<Value>): () => Promise<Value> {
  let begun: Promise<Value> | undefined
  return () => (begun ??= work())
}

const urgencies: readonly FindingUrgency[] = ['harm', 'decide', 'tidy']

/** By urgency, then in the order of the rules, then as each rule orders its own. */
export function mostImportant(
  found: readonly Finding[],
  order: readonly Pick<FindingRule, 'id'>[],
): Finding[] {
  const rank = ({ rule, urgency }: Finding): number =>
    urgencies.indexOf(urgency) * order.length + order.findIndex(({ id }) => id === rule)
  return found.toSorted((one, other) => rank(one) - rank(other)).slice(0, mostFindings)
}

export function comparisonWords(
  { numbers, weeks: known, isBehind }: ComparedNumbers,
  weeks: Pick<ComparedWeeks, 'words'>,
): Pick<WeeklyFindings, 'none' | 'compared'> {
  if (isBehind)
    return {
      none: `The week of ${weeks.words} is not counted yet`,
      compared: 'Events that have arrived are still being stored. Numbers are compared after that.',
    }
  if (numbers.length === 0)
    return {
      none: 'Too early to say what is unusual',
      compared: `A week is compared with at least ${leastWeeks} whole weeks of visitors before it. This project has ${known} so far.`,
    }
  const usual = numbers.filter(({ value, range }) => isUsual(value, range)).map(({ name }) => name)
  const before = plural(Math.max(...numbers.map(({ range }) => range.weeks)), 'week')
  return {
    none: `Nothing unusual in the week of ${weeks.words}`,
    compared: `${plural(numbers.length, 'number')} compared with the ${before} before. Within the usual range: ${named(usual)}.`,
  }
}

const mostNamed = 4

function named(names: readonly string[]): string {
  if (names.length === 0) return 'none'
  const shown = names.slice(0, mostNamed).join(', ')
  return names.length > mostNamed ? `${shown} and ${names.length - mostNamed} more` : shown
}
