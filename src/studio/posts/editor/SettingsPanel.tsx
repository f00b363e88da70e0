'use client'

import type { ReactNode } from 'react'
import { addressOf, type Post, type PostState } from '#posts/post'
import { Combobox, MultiCombobox } from '#ui/form/Combobox'
import { CopyButton } from '#ui/copy/CopyButton'
import { Field } from '#ui/form/Field'
import { Switch } from '#ui/form/Switch'
import { Textarea } from '#ui/form/Textarea'
import { TextInput } from '#ui/form/TextInput'
import { languages } from '../site/languages'
import type { PostDraft } from './draft'
import type { PostEditorContext } from './editor-context'
import { PictureField } from './PictureField'

export interface PostSettingsProps {
  kind: Post['kind']
  state: PostState
  draft: PostDraft
  onChange: (part: Partial<PostDraft>) => void
  errors: Readonly<Record<string, string>>
  context: PostEditorContext
  /** The excerpt that lists show if the post has none of its own. */
  beginning: string
}

const asOption = (value: string) => ({ value, label: value })

/** The settings of a post: all but its title and its text. */
export function SettingsPanel(props: PostSettingsProps) {
  return (
    <div className="flex flex-col divide-y divide-line *:py-5 [&>:first-child]:pt-0">
      <Part title="URL">
        <AddressField {...props} />
        {props.kind === 'page' && <OrderField {...props} />}
      </Part>
      <Part title="Lists">
        <ListFields {...props} />
      </Part>
      {props.kind === 'post' && (
        <Part title="Organisation">
          <ClassificationFields {...props} />
        </Part>
      )}
      <Part title="Language">
        <LanguageFields {...props} />
      </Part>
      <Part title="Search engines">
        <SearchFields {...props} />
      </Part>
    </div>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="flex flex-col gap-4">
      <h2 className="text-base font-semibold">{title}</h2>
      {children}
    </section>
  )
}

function AddressField({ kind, state, draft, onChange, errors, context }: PostSettingsProps) {
  const address = `${context.origin}${addressOf({ kind, slug: draft.slug })}`
  return (
    <div className="flex flex-col gap-2">
      <Field
        label="URL slug"
        labelHidden
        error={errors['slug']}
        hint={state === 'published' ? 'The old URL redirects to the new one automatically.' : undefined}
      >
        <TextInput
          mono
          prefix={kind === 'post' ? '/blog/' : '/'}
          placeholder={kind === 'page' ? 'home' : 'my-first-post'}
          spellCheck={false}
          autoCapitalize="off"
          autoComplete="off"
          value={draft.slug}
          onChange={({ target }) => onChange({ slug: target.value })}
        />
      </Field>
      <p className="flex items-center gap-1 text-xs text-muted">
        <span className="min-w-0 truncate" title={address}>
          {address}
        </span>
        <CopyButton text={address} label="Copy URL" />
      </p>
    </div>
  )
}

function ListFields({ draft, onChange, errors, context, beginning }: PostSettingsProps) {
  return (
    <>
      <Field
        label="Excerpt"
        optional
        error={errors['excerpt']}
        hint="Shown in lists, feeds and search results."
      >
        <Textarea
          rows={3}
          placeholder={beginning}
          value={draft.excerpt}
          onChange={(excerpt) => onChange({ excerpt })}
        />
      </Field>
      <div className="flex flex-col gap-1.5">
        <h3 className="font-medium">Cover</h3>
        <PictureField
          slug={context.slug}
          noun="cover"
          picture={draft.cover}
          onChange={(cover) => onChange({ cover })}
          error={errors['cover']}
        />
      </div>
    </>
  )
}

function ClassificationFields({ draft, onChange, errors, context }: PostSettingsProps) {
  const { tags, series, authors } = context
  return (
    <>
      <Field label="Tags" optional error={errors['tags']} hint="The first tag is the main one.">
        <MultiCombobox
          placeholder="Add tag"
          options={tags.map(asOption)}
          values={draft.tags}
          onChange={(next) => onChange({ tags: next })}
          allowOther
        />
      </Field>
      <Field label="Authors" optional error={errors['authors']}>
        <MultiCombobox
          placeholder={authors.length === 0 ? 'Add authors first' : 'Add author'}
          options={authors.map((author) => ({ value: author.slug, label: author.name }))}
          values={draft.authors}
          onChange={(next) => onChange({ authors: next })}
        />
      </Field>
      <Field label="Series" optional error={errors['series']} hint="Posts of a series are ordered by date.">
        <Combobox
          placeholder="None"
          options={series.map(asOption)}
          value={draft.series || null}
          onChange={(next) => onChange({ series: next ?? '' })}
          allowOther
        />
      </Field>
      <Switch
        place="end"
        label="Featured"
        hint="Shown first in lists."
        checked={draft.isFeatured}
        onChange={(isFeatured) => onChange({ isFeatured })}
      />
      <Switch
        place="end"
        label="Comments"
        checked={draft.allowsComments}
        onChange={(allowsComments) => onChange({ allowsComments })}
      />
    </>
  )
}

function LanguageFields({ kind, draft, onChange, errors }: PostSettingsProps) {
  return (
    <>
      <Field label="Language" optional error={errors['language']}>
        <Combobox
          placeholder="Language of the site"
          options={languages}
          value={draft.language || null}
          onChange={(language) => onChange({ language: language ?? '' })}
          allowOther
        />
      </Field>
      {(draft.language || draft.translationOf) && (
        <Field
          label="Translation of"
          optional
          error={errors['translationOf']}
          hint="The URL slug of the original. Both then link to each other."
        >
          <TextInput
            mono
            prefix={kind === 'post' ? '/blog/' : '/'}
            spellCheck={false}
            autoCapitalize="off"
            autoComplete="off"
            value={draft.translationOf}
            onChange={({ target }) => onChange({ translationOf: target.value })}
          />
        </Field>
      )}
    </>
  )
}

/** Only pages have a position: posts are ordered by date. */
const OrderField = ({ draft, onChange, errors }: PostSettingsProps) => (
  <Field
    label="Position in its folder"
    optional
    error={errors['order']}
    hint="A number, for the sidebar of the docs theme. Pages without one come last, by title."
  >
    <TextInput
      inputMode="decimal"
      value={draft.order}
      onChange={({ target }) => onChange({ order: target.value })}
    />
  </Field>
)

function SearchFields({ kind, draft, onChange, errors, context, beginning }: PostSettingsProps) {
  return (
    <>
      <SearchResult
        site={context.siteName}
        address={`${context.origin}${addressOf({ kind, slug: draft.slug })}`}
        title={draft.metaTitle || draft.title}
        description={draft.metaDescription || draft.excerpt || beginning}
      />
      <Field label="Title for search engines" optional error={errors['metaTitle']}>
        <TextInput
          placeholder={draft.title}
          value={draft.metaTitle}
          onChange={({ target }) => onChange({ metaTitle: target.value })}
        />
      </Field>
      <Field label="Description for search engines" optional error={errors['metaDescription']}>
        <Textarea
          rows={2}
          placeholder={draft.excerpt || beginning}
          value={draft.metaDescription}
          onChange={(metaDescription) => onChange({ metaDescription })}
        />
      </Field>
      <Field
        label="Canonical URL"
        optional
        error={errors['canonical']}
        hint="Where it was first published. Search engines prefer that URL."
      >
        <TextInput
          type="url"
          placeholder="https://"
          value={draft.canonical}
          onChange={({ target }) => onChange({ canonical: target.value })}
        />
      </Field>
    </>
  )
}

/** About as much as search engines show before they cut it off. */
const maxLengths = { title: 60, description: 155 }

/** The preview of the page among search results. */
function SearchResult({
  site,
  address,
  title,
  description,
}: {
  site: string
  address: string
  title: string
  description: string
}) {
  return (
    <figure className="rounded-lg border border-line bg-surface px-3.5 py-3">
      <figcaption className="sr-only">Search result preview</figcaption>
      <p className="truncate text-xs text-muted">
        <span className="font-medium text-ink">{site}</span> {withoutScheme(address)}
      </p>
      <p className="mt-1 text-base font-medium text-info-ink">{cut(title || 'Untitled', maxLengths.title)}</p>
      <p className="mt-0.5 text-xs text-pretty text-muted">
        {cut(description, maxLengths.description) || 'No description yet.'}
      </p>
    </figure>
  )
}

const withoutScheme = (address: string): string => address.replace(/^https?:\/\//, '').replaceAll('/', ' › ')

/** At a word's end. */
function cut(text: string, most: number): string {
  if (text.length <= most) return text
  const kept = text.slice(0, most)
  return `${kept.slice(0, Math.max(kept.lastIndexOf(' '), most - 20))} …`
}
