'use client'

import { ColourInput } from '#ui/form/ColourInput'
import { Field } from '#ui/form/Field'
import { RadioGroup } from '#ui/form/RadioGroup'
import { Select } from '#ui/form/Select'
import { PictureField } from '../editor/PictureField'
import { contrastMessage } from './contrast-message'
import type { SiteFieldsProps } from './SiteForm'

const typefaces = [
  { value: 'sans', label: 'Sans serif', hint: 'Plain and near.' },
  { value: 'serif', label: 'Serif', hint: 'For long reading.' },
] as const

const layouts = [
  { value: 'list', label: 'List', hint: 'One below the other.' },
  { value: 'cards', label: 'Cards', hint: 'Side by side, with covers.' },
] as const

const appearances = [
  { value: 'system', label: 'As the reader’s device' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const

const usualCounts = [5, 10, 20, 50, 100]

/** By the API it can be any number. */
const countsWith = (count: number): number[] =>
  [...new Set([...usualCounts, count])].toSorted((one, other) => one - other)

/** Colours, type, and how the blog is laid out. */
export function AppearanceFields({ slug, draft, onChange, errors, whyNot }: SiteFieldsProps) {
  return (
    <div className="flex flex-col gap-5">
      <div className="flex flex-col gap-1.5">
        <h3 className="font-medium">Logo</h3>
        <PictureField
          slug={slug}
          noun="logo"
          isNamed
          picture={draft.logo ? { address: draft.logo, alt: '' } : undefined}
          error={errors['logo']}
          whyNot={whyNot}
          onChange={(picture) => onChange({ logo: picture?.address ?? '' })}
        />
      </div>
      <AccentFields draft={draft} onChange={onChange} errors={errors} />
      <RadioGroup
        boxed
        label="Typeface"
        options={typefaces}
        value={draft.typeface}
        onChange={(typeface) => onChange({ typeface })}
      />
      <RadioGroup
        boxed
        label="Blog"
        options={layouts}
        value={draft.layout}
        onChange={(layout) => onChange({ layout })}
      />
      <RadioGroup
        boxed
        label="Light or dark"
        options={appearances}
        value={draft.appearance}
        onChange={(appearance) => onChange({ appearance })}
      />
      <Field label="Posts on a page" error={errors['postsPerPage']}>
        <Select
          options={countsWith(draft.postsPerPage).map((count) => ({
            value: String(count),
            label: String(count),
          }))}
          value={String(draft.postsPerPage)}
          onChange={(count) => onChange({ postsPerPage: Number(count) })}
        />
      </Field>
    </div>
  )
}

function AccentFields({ draft, onChange, errors }: Pick<SiteFieldsProps, 'draft' | 'onChange' | 'errors'>) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field label="Accent" error={errors['accent']} hint={contrastMessage(draft.accent, 'light')}>
        <ColourInput
          swatchLabel="Pick the accent"
          value={draft.accent}
          onChange={(accent) => onChange({ accent })}
        />
      </Field>
      <Field
        label="Accent where it is dark"
        optional
        error={errors['accentDark']}
        hint={contrastMessage(draft.accentDark || draft.accent, 'dark')}
      >
        <ColourInput
          swatchLabel="Pick the accent where it is dark"
          placeholder={draft.accent}
          value={draft.accentDark}
          onChange={(accentDark) => onChange({ accentDark })}
        />
      </Field>
    </div>
  )
}
