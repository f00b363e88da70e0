'use client'

import { X } from 'lucide-react'
import { type PluralForms, type SiteWords, languageOfWords, wordsOf } from '#posts/words/site-words'
import { Combobox } from '#ui/form/Combobox'
import { Field } from '#ui/form/Field'
import { TextInput } from '#ui/form/TextInput'
import { Icon } from '#ui/Icon'
import { IconButton } from '#ui/IconButton'
import type { SiteFieldsProps } from './SiteForm'

type TextName = keyof SiteWords

/** Texts of the theme in the site's own words. */
export function WordsFields({ draft, onChange, errors }: SiteFieldsProps) {
  const usual = wordsOf(draft.language)
  const names = Object.keys(usual) as TextName[] // of an object of that type
  const changed = names.filter((name) => draft.words[name] !== undefined)
  const set = (name: TextName, text: string | PluralForms | undefined) =>
    onChange({ words: { ...draft.words, [name]: text } })

  return (
    <div className="flex flex-col gap-4">
      {changed.map((name) => (
        <ChangedText
          key={name}
          usual={usual[name]}
          text={draft.words[name] ?? usual[name]}
          language={languageOfWords(draft.language)}
          onChange={(text) => set(name, text)}
          onRemove={() => set(name, undefined)}
        />
      ))}
      {errors['words'] && <p className="text-xs text-danger-ink">{errors['words']}</p>}
      <Field label="Text to change" hint="Texts in braces, such as {count}, are filled in.">
        <Combobox
          options={names
            .filter((name) => !changed.includes(name))
            .map((name) => ({ value: name, label: summaryOf(usual[name]) }))}
          value={null}
          placeholder="Search texts"
          nothingFound="No text matches."
          onChange={(name) => {
            const added = names.find((one) => one === name)
            if (added) set(added, usual[added])
          }}
        />
      </Field>
    </div>
  )
}

const summaryOf = (text: string | PluralForms): string => (typeof text === 'string' ? text : text.other)

function ChangedText({
  usual,
  text,
  language,
  onChange,
  onRemove,
}: {
  usual: string | PluralForms
  text: string | PluralForms
  language: string
  onChange: (text: string | PluralForms) => void
  onRemove: () => void
}) {
  const label = summaryOf(usual)
  return (
    <div className="flex items-start gap-1.5">
      <div className="flex min-w-0 grow flex-col gap-2">
        {typeof text === 'string' ? (
          <Field label={label}>
            <TextInput value={text} onChange={({ target }) => onChange(target.value)} />
          </Field>
        ) : (
          new Intl.PluralRules(language).resolvedOptions().pluralCategories.map((category) => (
            <Field key={category} label={`${label} (${category})`} optional={category !== 'other'}>
              <TextInput
                value={text[category] ?? ''}
                onChange={({ target }) => onChange(withForm(text, category, target.value))}
              />
            </Field>
          ))
        )}
      </div>
      <IconButton label={`Use the default for “${label}”`} icon={<Icon of={X} />} onClick={onRemove} />
    </div>
  )
}

/** A form without text is not set: "other" stands for it. */
function withForm(text: PluralForms, category: Intl.LDMLPluralRule, written: string): PluralForms {
  if (written !== '' || category === 'other') return { ...text, [category]: written }
  return { ...text, [category]: undefined }
}
