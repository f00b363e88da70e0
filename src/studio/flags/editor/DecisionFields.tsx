'use client'

import type { BucketBy, Flag } from '#flags/flag'
import { Checkbox } from '#ui/form/Checkbox'
import { MultiCombobox } from '#ui/form/Combobox'
import { Field } from '#ui/form/Field'
import { Select } from '#ui/form/Select'
import type { FlagDraft } from './draft'
import type { EditorChoices } from './editor-choices'

interface DecisionFieldsProps {
  draft: FlagDraft
  onChange: (part: Partial<FlagDraft>) => void
  choices: Pick<EditorChoices, 'groupTypes'>
}

const bucketByHints: Record<BucketBy['by'], string> = {
  person: 'Same value on every device of an identified person.',
  device: 'Same value for everyone on a device.',
  group: 'Same value for all members of a group.',
}

const servedToOptions: { value: Flag['servedTo']; label: string }[] = [
  { value: 'everybody', label: 'Browsers and servers' },
  { value: 'browsers', label: 'Browsers and apps only' },
  { value: 'servers', label: 'Servers only' },
]

/** The unit whose decision stays the same, and the clients that may request the flag. */
export function DecisionFields({ draft, onChange, choices: { groupTypes } }: DecisionFieldsProps) {
  const { bucketBy, keepsThroughSignIn, servedTo, contexts, isSecret } = draft
  return (
    <div className="flex flex-col gap-4">
      <Field label="Bucket by" hint={bucketByHints[bucketBy.by]}>
        <Select
          options={[
            { value: 'person', label: 'Person' },
            { value: 'device', label: 'Device' },
            ...groupsFor(bucketBy, groupTypes).map((group) => ({
              value: `group ${group}`,
              label: `Group: ${group}`,
            })),
          ]}
          value={bucketBy.by === 'group' ? `group ${bucketBy.group}` : bucketBy.by}
          onChange={(word) => onChange(decidedBy(bucketByIn(word), keepsThroughSignIn))}
        />
      </Field>
      <Checkbox
        label="Persist across login"
        hint="A visitor keeps the value after login. Adds a look-up to each request."
        checked={keepsThroughSignIn}
        disabled={bucketBy.by !== 'person'}
        onChange={(keeps) => onChange({ keepsThroughSignIn: keeps })}
      />
      <Field label="Evaluation runtime">
        <Select
          options={isSecret ? servedToOptions.filter(({ value }) => value === 'servers') : servedToOptions}
          value={servedTo}
          onChange={(next) => onChange({ servedTo: next })}
        />
      </Field>
      <Field label="Contexts" optional hint="SDKs that set contexts get the flag only if one matches.">
        <MultiCombobox
          placeholder="All"
          options={contexts.map((value) => ({ value, label: value }))}
          values={contexts}
          onChange={(next) => onChange({ contexts: next })}
          allowOther
        />
      </Field>
    </div>
  )
}

/** Signing in changes neither device nor group. */
const decidedBy = (bucketBy: BucketBy, keeps: boolean): Partial<FlagDraft> => ({
  bucketBy,
  keepsThroughSignIn: keeps && bucketBy.by === 'person',
})

/** A chosen group type without events stays in the list. */
const groupsFor = (bucketBy: BucketBy, known: readonly string[]): readonly string[] =>
  bucketBy.by === 'group' && !known.includes(bucketBy.group) ? [...known, bucketBy.group] : known

function bucketByIn(word: string): BucketBy {
  if (word === 'person' || word === 'device') return { by: word }
  return { by: 'group', group: word.slice('group '.length) }
}
