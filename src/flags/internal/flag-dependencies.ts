import type { InputProblem } from '#projects/problems'
import type { Flag } from '../flag'
import { settingIn } from './settings'

type DependentFlag = Pick<Flag, 'key' | 'environments'>
type ReferencedFlag = DependentFlag & Pick<Flag, 'variants'>

/** Keys of the flags that a flag depends on, in one environment or in any. */
export function dependenciesOf(flag: DependentFlag, environment?: string): Set<string> {
  const found = new Set<string>()
  const settings =
    environment === undefined ? Object.values(flag.environments) : [settingIn(flag, environment)]
  for (const setting of settings)
    for (const { conditions } of setting?.conditions ?? [])
      for (const one of conditions) if (one.type === 'flag') found.add(one.flag)
  return found
}

/** Checks a flag's dependencies: the other flags must exist and must not depend on it. */
export function objectionsAmong(flag: DependentFlag, others: readonly ReferencedFlag[]): InputProblem[] {
  const all = new Map<string, DependentFlag>(others.map((one) => [one.key, one]))
  all.set(flag.key, flag)
  const circle = circleThrough(flag.key, all)
  const problems = [...missingProblems(flag, all), ...unknownValues(flag, others)]
  return circle ? [...problems, circleProblem(circle)] : problems
}

const field = 'environments'

function missingProblems(flag: DependentFlag, all: ReadonlyMap<string, DependentFlag>): InputProblem[] {
  return [...dependenciesOf(flag)]
    .filter((key) => !all.has(key))
    .map((key) => ({
      field,
      message: `A condition asks about the flag “${key}”, which this project does not have.`,
    }))
}

function unknownValues(flag: DependentFlag, others: readonly ReferencedFlag[]): InputProblem[] {
  const variants = new Map(others.map((one) => [one.key, new Set(one.variants.map(({ key }) => key))]))
  return Object.values(flag.environments)
    .flatMap(({ conditions }) => conditions)
    .flatMap(({ conditions }) => conditions)
    .flatMap((one) =>
      one.type === 'flag' && typeof one.value === 'string' && variants.get(one.flag)?.has(one.value) === false
        ? [
            {
              field,
              message: `A condition asks whether “${one.flag}” gives “${one.value}”, which it never does.`,
            },
          ]
        : [],
    )
}

const circleProblem = (circle: readonly string[]): InputProblem => ({
  field,
  message:
    circle.length === 1
      ? 'A flag cannot depend on itself.'
      : `Flags cannot depend on each other in a circle: ${[...circle, circle[0]].join(' → ')}. Take one condition away.`,
})

/** The shortest cycle from a flag through its dependencies back to it. */
export function circleThrough(key: string, all: ReadonlyMap<string, DependentFlag>): string[] | undefined {
  const cameFrom = new Map<string, string>()
  const toVisit = [key]
  for (const next of toVisit) {
    const flag = all.get(next)
    for (const dependency of flag ? dependenciesOf(flag) : []) {
      if (dependency === key) return pathTo(next, key, cameFrom)
      if (cameFrom.has(dependency)) continue
      cameFrom.set(dependency, next)
      toVisit.push(dependency)
    }
  }
  return undefined
}

function pathTo(last: string, first: string, cameFrom: ReadonlyMap<string, string>): string[] {
  const way = [last]
  for (let step = last; step !== first;) {
    step = cameFrom.get(step) ?? first
    way.unshift(step)
  }
  return way
}
