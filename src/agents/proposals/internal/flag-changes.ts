import { z } from 'zod'
import { propertyLabel } from '#events/taxonomy'
import { differences } from '#flags/differences'
import { editablePartOf, type Flag } from '#flags/flag'
import { flagPart } from '#flags/flag-address'
import { changedFlag, flagChange } from '#flags/flag-input'
import { editableFlag, flagSchema } from '#flags/flag-schema'
import type { ConditionLabels } from '#flags/words'
import { failedOutcome, type FailedOutcome } from '#projects/problems'
import { type ChangeCall, defineChange, numbered, reasonField } from './proposable-change'

const key = flagSchema.shape.key

/** Whether a configuration is secret, and its values, are no matter for an assistant. */
const proposable = {
  description: true,
  tags: true,
  owner: true,
  variants: true,
  payloads: true,
  bucketBy: true,
  environments: true,
} as const

const newInput = z.strictObject({
  key,
  ...editableFlag.pick({ ...proposable, kind: true }).shape,
  ...reasonField,
})

const changeInput = z.strictObject({
  flag: key,
  ...flagChange.pick(proposable).shape,
  ...reasonField,
})

const archiveInput = z.strictObject({ flag: key, ...reasonField })

/** Parts that visitors do not notice. */
const unnoticed: readonly string[] = ['flag', 'description', 'tags', 'owner', 'reason']

const pathOf = (flagKey: string): string => `flags/${flagPart(flagKey)}`

export const flagChanges = [
  defineChange({
    name: 'create_flag',
    title: 'Create a feature flag',
    description:
      'Makes a flag: a switch, variants or a configuration, with the rules of each environment. It is off in environments that are not named.',
    input: newInput,
    reads: ['project:read', 'events:read'],
    right: 'flags:write',
    isDestructive: false,
    alwaysAsks: ({ environments }) => Object.values(environments).some(({ isOn }) => isOn),
    async preview(call) {
      const { services, projectId, viewer, input } = call
      const { key: named, reason: _, ...parts } = input
      if (await services.flags.find(projectId, named, viewer))
        return failedOutcome(`There is a flag “${named}” already.`, 'key')
      const { blank } = services.flags
      const lines = differences(blank, { ...blank, ...parts }, await labelsFor(call))
      const preview = {
        sentence: `Create the flag ${named}.`,
        lines,
        thing: pathOf(named),
        version: undefined,
      }
      return { done: true, preview }
    },
    async make({ services, projectId, viewer, input: { reason: _, ...input } }) {
      const outcome = await services.flags.create(projectId, input, viewer)
      return outcome.done ? { done: true, path: pathOf(outcome.flag.key) } : outcome
    },
  }),
  defineChange({
    name: 'change_flag',
    title: 'Change a feature flag',
    description:
      'Changes a flag: turns it on or off in an environment, its conditions, its rollout in percent, variants, description. Parts that are not named stay; condition sets of an environment are replaced as a list.',
    input: changeInput,
    reads: ['project:read', 'events:read'],
    right: 'flags:write',
    isDestructive: true,
    alwaysAsks: (input) => Object.keys(input).some((part) => !unnoticed.includes(part)),
    async preview(call) {
      const flag = await liveFlag(call)
      if ('done' in flag) return flag
      const { flag: _, reason: _reason, ...change } = call.input
      const after = changedFlag(flag, change)
      const lines = differences(editablePartOf(flag), editablePartOf(after), await labelsFor(call))
      if (lines.length === 0) return failedOutcome('The flag is like this already.')
      return { done: true, preview: { sentence: `Change the flag ${flag.key}.`, lines, ...identityOf(flag) } }
    },
    async make({ services, projectId, viewer, version, input: { flag, reason: _, ...change } }) {
      const basis = { ...change, version: numbered(version) }
      const outcome = await services.flags.change(projectId, flag, basis, viewer)
      return outcome.done ? { done: true, path: pathOf(flag) } : outcome
    },
  }),
  defineChange({
    name: 'archive_flag',
    title: 'Archive a feature flag',
    description: 'Takes a flag out of every answer to code. Refused while code asks for it.',
    input: archiveInput,
    reads: ['project:read', 'events:read'],
    right: 'flags:write',
    isDestructive: true,
    alwaysAsks: () => true,
    async preview(call) {
      const flag = await liveFlag(call)
      if ('done' in flag) return flag
      const sentence = `Archive the flag ${flag.key}.`
      const lines = ['SDKs get no value for it', 'It can be restored']
      return { done: true, preview: { sentence, lines, ...identityOf(flag) } }
    },
    async make({ services, projectId, viewer, version, input: { flag } }) {
      const outcome = await services.flags.archive(projectId, flag, viewer, { version: numbered(version) })
      return outcome.done ? { done: true, path: pathOf(flag) } : outcome
    },
  }),
]

const identityOf = (flag: Flag) => ({ thing: pathOf(flag.key), version: String(flag.version) })

async function liveFlag({
  services,
  projectId,
  viewer,
  input,
}: ChangeCall<{ flag: string }>): Promise<Flag | FailedOutcome> {
  const flag = await services.flags.find(projectId, input.flag, viewer)
  if (!flag) return failedOutcome('There is no such flag in this project.', 'flag')
  if (flag.archivedAt) return failedOutcome('The flag is archived. Restore it first.', 'flag')
  if (flag.isSecret) return failedOutcome('A secret configuration is changed in the studio only.', 'flag')
  return flag
}

const labelsFor = async ({ services, projectId, viewer }: ChangeCall<unknown>): Promise<ConditionLabels> => ({
  property: propertyLabel,
  cohorts: await services.people.cohorts.names(projectId, viewer),
})
