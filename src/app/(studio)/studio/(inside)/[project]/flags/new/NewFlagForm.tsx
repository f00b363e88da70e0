'use client'

import { useRouter } from 'next/navigation'
import { useState, useTransition } from 'react'
import type { FlagKind } from '../../../../../../../flags/flag'
import { Button } from '../../../../../../../ui/Button'
import { Checkbox } from '../../../../../../../ui/Checkbox'
import { Field } from '../../../../../../../ui/Field'
import { FormError } from '../../../../../../../ui/FormError'
import { Panel } from '../../../../../../../ui/Panel'
import { RadioGroup } from '../../../../../../../ui/RadioGroup'
import { TextInput } from '../../../../../../../ui/TextInput'
import { useToast } from '../../../../../../../ui/Toast'
import { paths } from '../../../../../../paths'
import { reached } from '../../../../../reached'
import { createFlag } from '../actions'
import { AboutFields } from '../editor/AboutFields'
import { changeableOf, type FlagDraft, newFlag, ofKind, whyNotYet } from '../editor/draft'
import type { EditorGround } from '../editor/ground'
import { kindChoices } from '../editor/kinds'
import { ValueFields } from '../editor/ValueFields'

interface NewFlagFormProps {
  kind: FlagKind
  owner: string
  environments: readonly string[]
  ground: EditorGround
  whyNot: string | undefined
}

/** What has to be said before there can be a flag. Who gets it is said on its own page; until then, nobody does. */
export function NewFlagForm({ kind, owner, environments, ground, whyNot }: NewFlagFormProps) {
  const [draft, setDraft] = useState(() => newFlag(kind, owner, environments))
  const change = (part: Partial<FlagDraft>) => setDraft((before) => ({ ...before, ...part }))
  const { create, problems, isPending } = useCreating(ground.slug, draft)

  return (
    <div className="flex flex-col gap-5">
      <Panel>
        <div className="flex flex-col gap-4">
          <Field
            label="Key"
            error={problems['key']}
            hint="What code asks for. It never changes; letters, digits, dots, dashes and underscores."
          >
            <TextInput
              mono
              autoComplete="off"
              spellCheck={false}
              placeholder="new-checkout"
              value={draft.key}
              onChange={({ target }) => change({ key: target.value })}
            />
          </Field>
          <RadioGroup
            boxed
            label="What it is"
            options={kindChoices}
            value={draft.kind}
            onChange={(next) => change(ofKind(draft, next))}
          />
        </div>
      </Panel>
      <Panel title="What it says">
        <div className="flex flex-col gap-4">
          <ValueFields draft={draft} onChange={change} />
          {draft.kind === 'config' && (
            <Checkbox
              label="Secret"
              hint="Encrypted where it is kept, and given only to servers that show a secret key. This cannot be changed later."
              checked={draft.isSecret}
              onChange={(isSecret) => change({ isSecret, servedTo: isSecret ? 'servers' : 'everybody' })}
            />
          )}
        </div>
      </Panel>
      <Panel title="About">
        <AboutFields draft={draft} onChange={change} ground={ground} />
      </Panel>
      {problems.others.map((problem) => (
        <FormError key={problem} title={problem} />
      ))}
      <div className="flex flex-wrap items-center gap-3">
        <Button
          variant="primary"
          onClick={create}
          busy={isPending}
          disabledReason={whyNot ?? (draft.key.trim() === '' ? 'Give it a key first.' : whyNotYet(draft))}
        >
          Create the flag
        </Button>
        <p className="text-muted">It begins switched off, everywhere.</p>
      </div>
    </div>
  )
}

function useCreating(slug: string, draft: FlagDraft) {
  const router = useRouter()
  const say = useToast()
  const [problems, setProblems] = useState<{ key?: string; others: string[] }>({ others: [] })
  const [isPending, startTransition] = useTransition()

  const create = () =>
    startTransition(async () => {
      const key = draft.key.trim()
      const answer = await reached(() => createFlag(slug, { key, ...changeableOf(draft) }))
      if (answer.done) {
        say({ title: `${key} is there, switched off`, tone: 'success' })
        return router.push(paths.flag(slug, answer.key))
      }
      const ofKey = answer.problems.find(({ field }) => field === 'key')?.message
      setProblems({
        ...(ofKey !== undefined && { key: ofKey }),
        others: answer.problems.flatMap(({ field, message }) => (field === 'key' ? [] : [message])),
      })
    })
  return { create, problems, isPending }
}
