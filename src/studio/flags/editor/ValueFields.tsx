'use client'

import { Equal, Plus, X } from 'lucide-react'
import { Button } from '#ui/Button'
import { Field } from '#ui/form/Field'
import { Icon } from '#ui/Icon'
import { IconButton } from '#ui/IconButton'
import { ColourMark } from '#ui/chart/ColourMark'
import { NumberInput } from '#ui/form/NumberInput'
import { Textarea } from '#ui/form/Textarea'
import { TextInput } from '#ui/form/TextInput'
import { number } from '#ui/format'
import { variantColour } from '../variant-colour'
import { VariantBar } from '../VariantBar'
import { type FlagDraft, newVariant, splitEqually, type VariantDraft, variantTotal, whyNoJson } from './draft'

interface FlagValueFieldsProps {
  draft: FlagDraft
  onChange: (part: Partial<FlagDraft>) => void
}

export function ValueFields({ draft, onChange }: FlagValueFieldsProps) {
  if (draft.kind === 'variants') return <Variants draft={draft} onChange={onChange} />
  const field = (
    <PayloadField
      label={draft.kind === 'config' ? 'Value' : 'Payload'}
      optional={draft.kind === 'switch'}
      {...(draft.isSecret && { hint: 'JSON. The stored value is hidden. Enter a new one to replace it.' })}
      value={draft.payloads['true']}
      onChange={(text) => onChange({ payloads: withPayload(draft.payloads, 'true', text) })}
    />
  )
  if (draft.kind === 'config') return field
  return (
    <details open={draft.payloads['true'] ? true : undefined}>
      <summary className="cursor-default font-medium text-muted hover:text-ink">Advanced</summary>
      <div className="pt-3">{field}</div>
    </details>
  )
}

/** JSON, held to be JSON as it is typed. */
export function PayloadField({
  label,
  value = '',
  onChange,
  optional = false,
  hint = 'JSON: an object, a list, a number or a quoted string.',
}: {
  label: string
  value: string | undefined
  onChange: (text: string) => void
  optional?: boolean
  hint?: string
}) {
  return (
    <Field label={label} optional={optional} hint={hint} error={whyNoJson(value)}>
      <Textarea mono rows={2} value={value} onChange={onChange} spellCheck={false} />
    </Field>
  )
}

/** An empty text removes the payload. */
export function withPayload(
  payloads: Readonly<Record<string, string>>,
  key: string,
  text: string,
): Record<string, string> {
  const others = Object.entries(payloads).filter(([name]) => name !== key)
  return Object.fromEntries(text.trim() === '' ? others : [...others, [key, text]])
}

function Variants({ draft, onChange }: FlagValueFieldsProps) {
  const { variants } = draft
  const put = (next: VariantDraft[]) => onChange({ variants: next })
  const total = variantTotal(variants)

  return (
    <div className="flex flex-col gap-4">
      <VariantBar
        label="Variant weights"
        shares={variants.map(({ key, percentage }) => ({ label: key || 'without a key', value: percentage }))}
      />
      {variants.map((variant, index) => (
        <VariantRow
          key={variant.id}
          variant={variant}
          place={index}
          draft={draft}
          onChange={onChange}
          onRemove={variants.length > 1 ? () => onChange(withoutVariant(draft, variant)) : undefined}
        />
      ))}
      <div className="flex flex-wrap items-center gap-2">
        <Button size="sm" icon={<Icon of={Plus} />} onClick={() => put([...variants, newVariant(variants)])}>
          Add variant
        </Button>
        <Button size="sm" icon={<Icon of={Equal} />} onClick={() => put(splitEqually(variants))}>
          Share equally
        </Button>
        <output className={total === 100 ? 'text-muted' : 'text-danger-ink'}>
          {total === 100
            ? 'Together 100%.'
            : `Together ${number(total)}%: ${
                total < 100 ? `${number(100 - total)}% missing` : `${number(total - 100)}% too many`
              }.`}
        </output>
      </div>
    </div>
  )
}

/** Condition sets that always served the removed variant decide by shares again. */
function withoutVariant(draft: FlagDraft, { id, key }: VariantDraft): Partial<FlagDraft> {
  return {
    variants: draft.variants.filter((one) => one.id !== id),
    payloads: withPayload(draft.payloads, key, ''),
    environments: renamed(draft.environments, key, undefined),
  }
}

const renamed = (
  environments: FlagDraft['environments'],
  from: string,
  to: string | undefined,
): FlagDraft['environments'] =>
  Object.fromEntries(
    Object.entries(environments).map(([name, setting]) => [
      name,
      {
        ...setting,
        payloads: movedPayload(setting.payloads, from, to),
        sets: setting.sets.map((set) => (set.variant === from ? { ...set, variant: to } : set)),
      },
    ]),
  )

function movedPayload(
  payloads: Readonly<Record<string, string>>,
  from: string,
  to: string | undefined,
): Record<string, string> {
  const text = payloads[from]
  const rest = withPayload(payloads, from, '')
  return text === undefined || to === undefined ? rest : { ...rest, [to]: text }
}

function VariantRow({
  variant,
  place: index,
  draft,
  onChange,
  onRemove,
}: FlagValueFieldsProps & { variant: VariantDraft; place: number; onRemove: (() => void) | undefined }) {
  const { variants, payloads, environments } = draft
  const label = `Variant ${index + 1}`
  const put = (part: Partial<VariantDraft>) => ({ variants: variants.with(index, { ...variant, ...part }) })

  /** Renames the variant in each place that refers to it. */
  const rename = (key: string) =>
    onChange({
      ...put({ key }),
      payloads: movedPayload(payloads, variant.key, key),
      environments: renamed(environments, variant.key, key),
    })

  return (
    <fieldset className="rounded-lg border border-line bg-sunken p-3">
      <legend className="sr-only">{label}</legend>
      <div className="flex items-start gap-2">
        <span className="flex h-8 items-center self-start pt-6">
          <ColourMark colour={variantColour(index)} />
        </span>
        <div className="grid min-w-0 grow gap-3 sm:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_9rem]">
          <Field label="Key" error={whyNotThisKey(variant, variants)}>
            <TextInput mono value={variant.key} onChange={({ target }) => rename(target.value)} />
          </Field>
          <Field label="Name" optional>
            <TextInput
              value={variant.name}
              onChange={({ target }) => onChange(put({ name: target.value }))}
            />
          </Field>
          <Field label="Share">
            <NumberInput
              value={variant.percentage}
              min={0}
              max={100}
              step={0.01}
              unit="%"
              onChange={(next) => onChange(put({ percentage: Math.round((next ?? 0) * 100) / 100 }))}
            />
          </Field>
        </div>
        <span className="pt-6.5">
          <IconButton
            label={`Remove ${label.toLowerCase()}`}
            icon={<Icon of={X} />}
            onClick={onRemove}
            disabledReason={onRemove ? undefined : 'A flag with variants needs at least one.'}
          />
        </span>
      </div>
      <div className="mt-3">
        <PayloadField
          label={`Payload of ${variant.key || label.toLowerCase()}`}
          optional
          hint=""
          value={payloads[variant.key]}
          onChange={(text) => onChange({ payloads: withPayload(payloads, variant.key, text) })}
        />
      </div>
    </fieldset>
  )
}

function whyNotThisKey({ id, key }: VariantDraft, variants: readonly VariantDraft[]): string | undefined {
  if (key.trim() === '') return 'Enter a key: code compares with it.'
  return variants.some((other) => other.id !== id && other.key === key)
    ? 'Another variant has this key.'
    : undefined
}
