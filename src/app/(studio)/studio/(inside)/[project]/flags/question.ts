import type { Flag } from '../../../../../../flags/flag'
import type { FlagsQuestion } from '../../../../../paths'
import { type Search, textOf } from '../people/question'
import { kindIn } from './editor/kinds'

const states = ['on', 'off', 'stale'] as const

/** An address may say anything; what is not a question here is not asked. */
export const flagsQuestionIn = ({ search, environment, state, kind, tag, show }: Search): FlagsQuestion => ({
  search: textOf(search)?.slice(0, 200),
  environment: textOf(environment),
  state: states.find((one) => one === state),
  kind: kindIn(kind),
  tag: textOf(tag),
  show: show === 'archived' ? show : undefined,
})

/** Which of them a list shows. Whether one is stale is for whoever knows the numbers. */
export function narrowed(flags: readonly Flag[], question: FlagsQuestion, environment: string): Flag[] {
  const { search, state, kind, tag, show } = question
  const words = search?.toLowerCase()
  return flags.filter(
    (flag) =>
      (flag.archivedAt !== undefined) === (show === 'archived') &&
      (words === undefined || saidOf(flag).includes(words)) &&
      (kind === undefined || flag.kind === kind) &&
      (tag === undefined || flag.tags.includes(tag)) &&
      (state === undefined || state === 'stale' || isOn(flag, environment) === (state === 'on')),
  )
}

const saidOf = ({ key, description, owner, tags }: Flag): string =>
  [key, description, owner, ...tags].join('\n').toLowerCase()

export const isOn = ({ environments }: Flag, environment: string): boolean =>
  environments[environment]?.isOn ?? false
