'use client'

import { ColourInput } from '#ui/form/ColourInput'
import { Field } from '#ui/form/Field'
import { RadioGroup } from '#ui/form/RadioGroup'
import { Select } from '#ui/form/Select'
import { Switch } from '#ui/form/Switch'
import { PictureField } from '../editor/PictureField'
import type { SiteFieldsProps } from './SiteForm'
import { contrast, pageBackgrounds, parseColour } from '#posts/site-accents'

const pictures = [
  { name: 'logo', label: 'Logo', hint: undefined },
  {
    name: 'favicon',
    label: 'Favicon',
    hint: 'Square. Without one, the logo or the first letter of the name.',
  },
  {
    name: 'socialPicture',
    label: 'Social picture',
    hint: '1200 × 630. For links to pages without a cover; posts have a drawn card.',
  },
] as const

const widths = [
  { value: 'narrow', label: 'Narrow' },
  { value: 'medium', label: 'Medium' },
  { value: 'wide', label: 'Wide' },
] as const

const typefaces = [
  { value: 'sans', label: 'Sans serif', hint: 'Clean and modern.' },
  { value: 'serif', label: 'Serif', hint: 'For long texts.' },
] as const

const themes = [
  { value: 'publication', label: 'Publication', hint: 'For a blog or a magazine.' },
  { value: 'product', label: 'Product', hint: 'Wide pages of blocks; the last link is a button.' },
  { value: 'docs', label: 'Docs', hint: 'Sidebar, versions and search.' },
] as const

const layouts = [
  { value: 'list', label: 'List', hint: 'Stacked.' },
  { value: 'cards', label: 'Cards', hint: 'Grid with covers.' },
] as const

const appearances = [
  { value: 'system', label: 'System' },
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
      <RadioGroup
        boxed
        label="Theme"
        options={themes}
        value={draft.theme}
        onChange={(theme) => onChange({ theme })}
      />
      <PictureFields slug={slug} draft={draft} onChange={onChange} errors={errors} whyNot={whyNot} />
      <AccentFields draft={draft} onChange={onChange} errors={errors} />
      <RadioGroup
        boxed
        label="Typeface"
        options={typefaces}
        value={draft.typeface}
        onChange={(typeface) => onChange({ typeface })}
      />
      <PageFields draft={draft} onChange={onChange} />
      <RadioGroup
        boxed
        label="Blog"
        options={layouts}
        value={draft.layout}
        onChange={(layout) => onChange({ layout })}
      />
      <RadioGroup
        boxed
        label="Appearance"
        options={appearances}
        value={draft.appearance}
        onChange={(appearance) => onChange({ appearance })}
      />
      <Field label="Posts per page" error={errors['postsPerPage']}>
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
          swatchLabel="Pick accent colour"
          value={draft.accent}
          onChange={(accent) => onChange({ accent })}
        />
      </Field>
      <Field
        label="Accent colour in dark theme"
        optional
        error={errors['accentDark']}
        hint={contrastMessage(draft.accentDark || draft.accent, 'dark')}
      >
        <ColourInput
          swatchLabel="Pick accent colour for dark theme"
          placeholder={draft.accent}
          value={draft.accentDark}
          onChange={(accentDark) => onChange({ accentDark })}
        />
      </Field>
    </div>
  )
}

const PictureFields = ({ slug, draft, onChange, errors, whyNot }: SiteFieldsProps) =>
  pictures.map(({ name, label, hint }) => (
    <div key={name} className="flex flex-col gap-1.5">
      <h3 className="font-medium">{label}</h3>
      {hint && <p className="text-xs text-muted">{hint}</p>}
      <PictureField
        slug={slug}
        noun={label.toLowerCase()}
        isNamed
        picture={draft[name] ? { address: draft[name], alt: '' } : undefined}
        error={errors[name]}
        whyNot={whyNot}
        onChange={(picture) => onChange({ [name]: picture?.address ?? '' })}
      />
    </div>
  ))

const PageFields = ({ draft, onChange }: Pick<SiteFieldsProps, 'draft' | 'onChange'>) => (
  <>
    <RadioGroup
      boxed
      label="Width"
      options={widths}
      value={draft.width}
      onChange={(width) => onChange({ width })}
    />
    <Switch
      place="end"
      label="Table of contents"
      hint="Beside posts with at least 700 words and three headings."
      checked={draft.showsContents}
      onChange={(showsContents) => onChange({ showsContents })}
    />
    <Switch
      place="end"
      label="Covers on posts"
      hint="Lists show covers either way."
      checked={draft.showsCovers}
      onChange={(showsCovers) => onChange({ showsCovers })}
    />
  </>
)

/** The contrast that the guidelines for accessible content demand of text. */
const readable = 4.5

/** The legibility of text of this colour on each background, and the site's substitute if it is too low. */
export function contrastMessage(colour: string, background: keyof typeof pageBackgrounds): string {
  if (!/^#[\da-f]{6}$/i.test(colour)) return 'Write the colour as "#1f6f4a".'
  const ratio = contrast(parseColour(colour), parseColour(pageBackgrounds[background]))
  const ratioText = `${ratio.toFixed(1)} to 1 on the ${background} background`
  if (ratio >= readable) return `Contrast ${ratioText}: good.`
  const shade = background === 'light' ? 'darker' : 'lighter'
  return `Contrast ${ratioText}: too low for text. The site uses a ${shade} shade.`
}
