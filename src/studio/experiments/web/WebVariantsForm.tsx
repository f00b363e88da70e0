'use client'

import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { WebVariants } from '#experiments/web/web-variants'
import { Button } from '#ui/Button'
import { Field } from '#ui/form/Field'
import { Select } from '#ui/form/Select'
import { Switch } from '#ui/form/Switch'
import { Textarea } from '#ui/form/Textarea'
import { TextInput } from '#ui/form/TextInput'
import { Icon } from '#ui/Icon'
import { IconButton } from '#ui/IconButton'
import { ChangeForm, Submit } from '#studio/parts/ChangeForm'
import { changeExperiment } from '../actions'
import {
  type ElementChangeDraft,
  newElementChange,
  type WebVariantDraft,
  webDraftOf,
  webInputOf,
} from './web-draft'

interface WebVariantsFormProps {
  slug: string
  id: string
  webId: number
  web: WebVariants | undefined
  /** The variants that posthog-js can change pages for. */
  variants: readonly string[]
  whyNot: string | undefined
}

/** The changes of each variant, and who sees them. */
export function WebVariantsForm({ slug, id, webId, web, variants, whyNot }: WebVariantsFormProps) {
  const [draft, setDraft] = useState(() => webDraftOf(web, variants))
  const put = (key: string, part: Partial<WebVariantDraft>) =>
    setDraft({
      ...draft,
      variants: draft.variants.map((one) => (one.key === key ? { ...one, ...part } : one)),
    })
  return (
    <ChangeForm
      change={() => changeExperiment(slug, id, { web: webInputOf(draft) })}
      saved="The page changes are saved"
    >
      <Field label="Who sees a variant">
        <Select
          options={[
            { value: 'flag', label: 'Visitors who get it from the flag' },
            { value: 'conditions', label: 'Everyone on certain pages, without an experiment' },
          ]}
          value={draft.assignedBy}
          onChange={(assignedBy) => setDraft({ ...draft, assignedBy })}
        />
      </Field>
      <Switch
        label="Preview links work before the start"
        hint="The changes are then public already."
        checked={draft.previewsDraft}
        onChange={(previewsDraft) => setDraft({ ...draft, previewsDraft })}
      />
      {draft.variants.map((variant) => (
        <VariantChanges
          key={variant.key}
          variant={variant}
          webId={webId}
          hasPages={draft.assignedBy === 'conditions'}
          onChange={(part) => put(variant.key, part)}
        />
      ))}
      <div>
        <Submit disabledReason={whyNot}>Save page changes</Submit>
      </div>
    </ChangeForm>
  )
}

interface VariantChangesProps {
  variant: WebVariantDraft
  webId: number
  /** Whether the variant is shown on certain pages. */
  hasPages: boolean
  onChange: (part: Partial<WebVariantDraft>) => void
}

function VariantChanges({ variant, webId, hasPages, onChange }: VariantChangesProps) {
  return (
    <section
      aria-label={`Changes of ${variant.key}`}
      className="flex flex-col gap-3 border-t border-line pt-4"
    >
      <h3 className="font-medium">{variant.key}</h3>
      <p className="text-muted">
        Preview: add{' '}
        <code className="break-all">
          ?__experiment_id={webId}&amp;__experiment_variant={variant.key}
        </code>{' '}
        to the address of a page.
      </p>
      {hasPages && (
        <Field label={`Pages of ${variant.key}`} hint="A part of the address, such as /pricing.">
          <TextInput value={variant.url} onChange={(event) => onChange({ url: event.target.value })} />
        </Field>
      )}
      {variant.changes.map((change, i) => (
        <ElementChange
          key={change.id}
          number={i + 1}
          change={change}
          onChange={(next) =>
            onChange({
              changes: variant.changes.map((one) => (one.id === next.id ? next : one)),
            })
          }
          onRemove={() => onChange({ changes: variant.changes.filter((one) => one.id !== change.id) })}
        />
      ))}
      <div>
        <Button
          icon={<Icon of={Plus} />}
          onClick={() => onChange({ changes: [...variant.changes, newElementChange()] })}
        >
          Add a change to {variant.key}
        </Button>
      </div>
    </section>
  )
}

interface ElementChangeProps {
  number: number
  change: ElementChangeDraft
  onChange: (change: ElementChangeDraft) => void
  onRemove: () => void
}

function ElementChange({ number, change, onChange, onRemove }: ElementChangeProps) {
  return (
    <fieldset className="flex flex-col gap-3 rounded-md border border-line p-3">
      <legend className="sr-only">Change {number}</legend>
      <div className="flex items-start gap-2">
        <div className="grow">
          <Field label="Elements" hint="A CSS selector, such as #hero h1.">
            <TextInput
              value={change.selector}
              onChange={(event) => onChange({ ...change, selector: event.target.value })}
              autoComplete="off"
            />
          </Field>
        </div>
        <IconButton label={`Remove change ${number}`} icon={<Icon of={Trash2} />} onClick={onRemove} />
      </div>
      <Field label="Markup" hint="Replaces what is inside the elements." optional>
        <Textarea mono rows={3} value={change.html} onChange={(html) => onChange({ ...change, html })} />
      </Field>
      <Field label="Style" hint="Replaces their style attribute, such as color: teal." optional>
        <TextInput
          value={change.css}
          onChange={(event) => onChange({ ...change, css: event.target.value })}
          autoComplete="off"
        />
      </Field>
    </fieldset>
  )
}
