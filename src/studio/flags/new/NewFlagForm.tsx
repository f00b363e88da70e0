'use client'

import { useNavigation } from '#ui/navigation/Navigation'
import { type FormEvent, useState, useTransition } from 'react'
import { type EditableFlag, type FlagKind, secrecyParts } from '#flags/flag'
import { Button } from '#ui/Button'
import { Checkbox } from '#ui/form/Checkbox'
import { Form } from '#ui/form/Form'
import { Field } from '#ui/form/Field'
import { FormError } from '#ui/form/FormError'
import { Panel } from '#ui/page/Panel'
import { RadioGroup } from '#ui/form/RadioGroup'
import { TextInput } from '#ui/form/TextInput'
import { useToast } from '#ui/overlay/Toast'
import { paths } from '#studio/paths'
import { withNetworkErrors } from '#studio/parts/with-network-errors'
import { NumberAudience, type NumberCohortDraft, numberCohortDraft } from '#studio/numbers/NumberAudience'
import type { NumberPeople } from '#studio/numbers/people-of-number'
import { createFlag, createFlagForNumber } from '../actions'
import { AboutFields } from '../editor/AboutFields'
import { changeableOf, type FlagDraft, newFlag, newSet, noSetting, ofKind, whyNotYet } from '../editor/draft'
import type { EditorChoices } from '../editor/editor-choices'
import { kindChoices } from '../editor/kinds'
import { ValueFields } from '../editor/ValueFields'

interface NewFlagFormProps {
  /** A flag in which nothing was set yet. */
  blank: EditableFlag
  /** The key that the address suggests. */
  suggestedKey: string | undefined
  kind: FlagKind
  owner: string
  environments: readonly string[]
  choices: EditorChoices
  /** The persons of a number that it is turned on for. */
  people: NumberPeople | undefined
  whyNot: string | undefined
}

/** The fields that a new flag needs. Its condition sets are edited afterwards; it starts without any. */
export function NewFlagForm({
  blank,
  choices,
  people,
  whyNot,
  suggestedKey = '',
  ...begun
}: NewFlagFormProps) {
  const [draft, setDraft] = useState(() => ({ ...newFlag(blank, begun), key: suggestedKey }))
  const [cohort, setCohort] = useState(() => people && numberCohortDraft(people))
  const [isOn, setOn] = useState(people !== undefined)
  const [environment = 'production'] = begun.environments
  const { create, problems, isPending } = useFlagCreation(
    choices.slug,
    isOn ? turnedOn(draft, environment) : draft,
    cohort,
  )

  const change = (part: Partial<FlagDraft>) => setDraft((before) => ({ ...before, ...part }))

  const whyNotNow = whyNot ?? (draft.key.trim() === '' ? 'Enter a key first.' : whyNotYet(draft))
  function submit(event: FormEvent) {
    event.preventDefault()
    if (whyNotNow === undefined && !isPending) create()
  }

  return (
    <Form onSubmit={submit}>
      <KeyPanel draft={draft} onChange={change} error={problems.key} />
      <Panel title="Value">
        <div className="flex flex-col gap-4">
          <ValueFields draft={draft} onChange={change} />
          {draft.kind === 'config' && (
            <Checkbox
              label="Secret"
              hint="Stored encrypted, and returned only to servers with a secret key. This cannot be changed later."
              checked={draft.isSecret}
              onChange={(isSecret) => change(secrecyParts(isSecret))}
            />
          )}
        </div>
      </Panel>
      {people && cohort && (
        <>
          <NumberAudience people={people} value={cohort} onChange={setCohort} />
          <Checkbox
            label={`Turn on in ${environment} as soon as it is created`}
            checked={isOn}
            onChange={setOn}
          />
        </>
      )}
      <Panel title="About">
        <AboutFields draft={draft} onChange={change} choices={choices} />
      </Panel>
      {problems.others.map((problem) => (
        <FormError key={problem} title={problem} />
      ))}
      <CreateBar onIn={isOn ? environment : undefined} isPending={isPending} whyNot={whyNotNow} />
    </Form>
  )
}

interface CreateBarProps {
  /** The environment in which the flag is on at once. */
  onIn: string | undefined
  isPending: boolean
  whyNot: string | undefined
}

function CreateBar({ onIn, isPending, whyNot }: CreateBarProps) {
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button type="submit" variant="primary" busy={isPending} disabledReason={whyNot}>
        Create flag
      </Button>
      <p className="text-muted">
        {onIn === undefined
          ? 'It starts switched off in every environment.'
          : `It is on in ${onIn} at once, for this cohort only.`}
      </p>
    </div>
  )
}

interface KeyPanelProps {
  draft: FlagDraft
  onChange: (part: Partial<FlagDraft>) => void
  error: string | undefined
}

function KeyPanel({ draft, onChange, error }: KeyPanelProps) {
  return (
    <Panel>
      <div className="flex flex-col gap-4">
        <Field
          label="Key"
          error={error}
          hint="Used in code; cannot be changed later. Letters, digits, dots, dashes and underscores."
        >
          <TextInput
            mono
            // the page is for nothing else
            // oxlint-disable-next-line jsx-a11y/no-autofocus
            autoFocus
            autoComplete="off"
            spellCheck={false}
            placeholder="new-checkout"
            value={draft.key}
            onChange={({ target }) => onChange({ key: target.value })}
          />
        </Field>
        <RadioGroup
          boxed
          label="Type"
          options={kindChoices}
          value={draft.kind}
          onChange={(next) => onChange(ofKind(draft, next))}
        />
      </div>
    </Panel>
  )
}

/** The flag, on in one environment from its creation. */
function turnedOn(draft: FlagDraft, environment: string): FlagDraft {
  const setting = draft.environments[environment] ?? noSetting
  return { ...draft, environments: { ...draft.environments, [environment]: { ...setting, isOn: true } } }
}

/** A flag needs a set of conditions to which that of the cohort is added. */
const withSets = (draft: FlagDraft): FlagDraft => ({
  ...draft,
  environments: Object.fromEntries(
    Object.entries(draft.environments).map(([name, setting]) => [
      name,
      { ...setting, sets: setting.sets.length > 0 ? setting.sets : [newSet()] },
    ]),
  ),
})

interface FlagProblems {
  /** The problem of a key, with the key that has it. */
  key?: { of: string; message: string }
  others: string[]
}

function useFlagCreation(slug: string, draft: FlagDraft, cohort: NumberCohortDraft | undefined) {
  const router = useNavigation()
  const showToast = useToast()
  const [problems, setProblems] = useState<FlagProblems>({ others: [] })
  const [isPending, startTransition] = useTransition()

  const create = () =>
    startTransition(async () => {
      const key = draft.key.trim()
      const answer = await withNetworkErrors(() =>
        cohort
          ? createFlagForNumber(slug, cohort, { key, ...changeableOf(withSets(draft)) })
          : createFlag(slug, { key, ...changeableOf(draft) }),
      )
      if (answer.done) {
        showToast({ title: `${key} created`, tone: 'success' })
        return router.push(paths.flag(slug, answer.key))
      }
      const ofKey = answer.problems.find(({ field }) => field === 'key')?.message
      setProblems({
        ...(ofKey !== undefined && { key: { of: draft.key, message: ofKey } }),
        others: answer.problems.flatMap(({ field, message }) => (field === 'key' ? [] : [message])),
      })
    })
  const { key: ofKey, others } = problems
  // a form with an invalid field is not sent: a corrected key has no problem yet
  const key = ofKey?.of === draft.key ? ofKey.message : undefined
  return { create, problems: { key, others }, isPending }
}
