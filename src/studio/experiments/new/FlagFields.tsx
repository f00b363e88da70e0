'use client'

import { plural } from '#ui/format'
import { Equal, Plus, X } from 'lucide-react'
import { Button } from '#ui/Button'
import { Combobox } from '#ui/form/Combobox'
import { Field } from '#ui/form/Field'
import { Icon } from '#ui/Icon'
import { IconButton } from '#ui/IconButton'
import { NumberInput } from '#ui/form/NumberInput'
import { RadioGroup } from '#ui/form/RadioGroup'
import { TextInput } from '#ui/form/TextInput'
import { newVariant, splitEqually, variantTotal, type VariantDraft } from '#studio/flags/editor/draft'
import type { FlagChoice } from '../editor/choices'
import { type ExperimentProblems, type NewFlagDraft, newFlagDraft, problemOf } from '../editor/draft'

interface FlagFieldsProps {
  flags: readonly FlagChoice[]
  chosen: string
  newFlag: NewFlagDraft | undefined
  problems: ExperimentProblems
  onChoose: (key: string) => void
  onNewFlag: (flag: NewFlagDraft | undefined) => void
}

const sources = [
  { value: 'existing', label: 'An existing flag', hint: 'One with two to ten variants' },
  { value: 'new', label: 'A new flag', hint: 'Off in every environment until you turn it on' },
] as const

/** The flag whose variants are compared: one of the project, or one that is created with the experiment. */
export function FlagFields({ flags, chosen, newFlag, problems, onChoose, onNewFlag }: FlagFieldsProps) {
  return (
    <div className="flex flex-col gap-4">
      <RadioGroup
        boxed
        label="Which flag"
        options={sources}
        value={newFlag ? 'new' : 'existing'}
        onChange={(source) => onNewFlag(source === 'new' ? newFlagDraft() : undefined)}
      />
      {newFlag ? (
        <NewFlagFields flag={newFlag} problems={problems} onChange={onNewFlag} />
      ) : (
        <div className="sm:w-1/2">
          <Field label="Flag" {...problemOf(problems, 'flag')}>
            <Combobox
              placeholder="Choose a flag"
              options={flags.map(({ key, variants }) => ({
                value: key,
                label: key,
                hint: plural(variants.length, 'variant'),
              }))}
              value={chosen || null}
              onChange={(key) => onChoose(key ?? '')}
              nothingFound={flags.length === 0 ? 'No flag has variants yet. Create one here.' : undefined}
            />
          </Field>
        </div>
      )}
    </div>
  )
}

const mostVariants = 10

function NewFlagFields({
  flag,
  problems,
  onChange,
}: {
  flag: NewFlagDraft
  problems: ExperimentProblems
  onChange: (next: NewFlagDraft) => void
}) {
  const { key, variants } = flag
  const put = (next: VariantDraft[]) => onChange({ ...flag, variants: next })
  const total = variantTotal(variants)
  return (
    <div className="flex flex-col gap-4">
      <div className="sm:w-1/2">
        <Field
          label="Key of the flag"
          hint="What code asks for. It never changes."
          {...problemOf(problems, 'newFlag.key')}
        >
          <TextInput
            mono
            autoComplete="off"
            spellCheck={false}
            placeholder="shorter-checkout"
            value={key}
            onChange={({ target }) => onChange({ ...flag, key: target.value })}
          />
        </Field>
      </div>
      <div className="flex flex-col gap-2.5">
        {variants.map((variant, i) => (
          <VariantRow
            key={variant.id}
            number={i + 1}
            variant={variant}
            problem={problemOf(problems, `newFlag.variants.${i}`)}
            onChange={(next) => put(variants.with(i, next))}
            onRemove={() => put(variants.toSpliced(i, 1))}
            whyNotRemove={variants.length > 2 ? undefined : 'An experiment compares at least two variants.'}
          />
        ))}
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <Button
          size="sm"
          icon={<Icon of={Plus} />}
          onClick={() => put(splitEqually([...variants, newVariant(variants)]))}
          disabledReason={
            variants.length < mostVariants
              ? undefined
              : `An experiment compares at most ${mostVariants} variants.`
          }
        >
          Add a variant
        </Button>
        <Button size="sm" icon={<Icon of={Equal} />} onClick={() => put(splitEqually(variants))}>
          Share equally
        </Button>
        <output className={total === 100 ? 'text-muted' : 'text-danger-ink'}>
          {total === 100 ? 'Together 100%.' : `Together ${total}%: the shares must add up to 100%.`}
        </output>
      </div>
    </div>
  )
}

interface VariantRowProps {
  number: number
  variant: VariantDraft
  problem: { error?: string }
  onChange: (next: VariantDraft) => void
  onRemove: () => void
  whyNotRemove: string | undefined
}

function VariantRow({ number, variant, problem, onChange, onRemove, whyNotRemove }: VariantRowProps) {
  return (
    <fieldset className="flex items-start gap-2">
      <legend className="sr-only">Variant {number}</legend>
      <div className="grid min-w-0 grow grid-cols-[minmax(0,1fr)_9rem] gap-2 sm:max-w-md">
        <Field label={`Variant ${number}`} {...problem}>
          <TextInput
            mono
            value={variant.key}
            onChange={({ target }) => onChange({ ...variant, key: target.value })}
          />
        </Field>
        <Field label="Share">
          <NumberInput
            value={variant.percentage}
            min={0}
            max={100}
            step={0.01}
            unit="%"
            onChange={(next) => onChange({ ...variant, percentage: Math.round((next ?? 0) * 100) / 100 })}
          />
        </Field>
      </div>
      <span className="pt-6.5">
        <IconButton
          label={`Remove variant ${number}`}
          icon={<Icon of={X} />}
          onClick={onRemove}
          disabledReason={whyNotRemove}
        />
      </span>
    </fieldset>
  )
}
