'use client'

import { lazy, Suspense } from 'react'
import type { SiteSettings } from '#posts/site'
import { Panel } from '#ui/page/Panel'
import { Skeleton } from '#ui/page/Skeleton'
import { problemsByField } from '#studio/parts/action-result'
import { SaveBar } from '#studio/parts/SaveBar'
import { useVersionedDraft } from '#studio/parts/use-versioned-draft'
import { saveSite } from './actions'
import { differencesOf } from './draft'
import { LinkRows } from './LinkRows'
import { MetaTagRows } from './MetaTagRows'
import type { SiteAddress } from './address-hint'
import { AppearanceFields } from './AppearanceFields'
import { SiteFields } from './SiteFields'
import { SiteMiniature } from './SiteMiniature'
import { VisitorFields } from './VisitorFields'
import { FooterFields } from './FooterFields'

/** Contains the texts of every language. */
const WordsFields = lazy(async () => ({ default: (await import('./WordsFields')).WordsFields }))

interface SiteSettingsFormProps {
  slug: string
  projectName: string
  site: SiteAddress
  saved: SiteSettings
  /** The titles of the latest posts, for the preview. */
  titles: readonly string[]
  whyNot: string | undefined
}

export interface SiteFieldsProps {
  slug: string
  draft: SiteSettings
  onChange: (part: Partial<SiteSettings>) => void
  errors: Readonly<Record<string, string>>
  whyNot: string | undefined
}

/** The settings of a site, beside a preview. */
export function SiteForm({ slug, projectName, site, saved, titles, whyNot }: SiteSettingsFormProps) {
  const editing = useSiteDraft(slug, saved)
  const { draft, change } = editing
  // the fields show theirs
  const { '': general, ...problems } = editing.problems
  const fields = { slug, draft, onChange: change, errors: problems, whyNot }

  return (
    <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <div className="flex min-w-0 flex-col gap-5 max-lg:order-2">
        <Panel title="General">
          <SiteFields {...fields} projectName={projectName} site={site} />
        </Panel>
        <Panel title="Appearance">
          <AppearanceFields {...fields} />
        </Panel>
        <Panel>
          <LinkRows
            title="Navigation"
            noun="link"
            most={12}
            placeholder="/blog"
            links={draft.navigation}
            error={problems['navigation']}
            onChange={(navigation) => change({ navigation })}
          />
        </Panel>
        <Panel title="Header and footer">
          <FooterFields {...fields} />
        </Panel>
        <Panel title="Texts" description="What the site says around your content, in 12 languages.">
          <Suspense fallback={<Skeleton className="h-16 w-full" />}>
            <WordsFields {...fields} />
          </Suspense>
        </Panel>
        <Panel title="Meta tags" description="On every page, such as the verification of a search engine.">
          <MetaTagRows
            tags={draft.metaTags}
            error={problems['metaTags']}
            onChange={(metaTags) => change({ metaTags })}
          />
        </Panel>
        <Panel title="Visitors">
          <VisitorFields {...fields} />
        </Panel>
        <SaveBar
          editing={{ ...editing, problems: general === undefined ? {} : { general } }}
          whyNot={whyNot}
          label="Save site"
        />
      </div>
      <div className="min-w-0 max-lg:order-1 lg:sticky lg:top-4">
        <SiteMiniature settings={draft} name={draft.name || projectName} titles={titles} />
      </div>
    </div>
  )
}

const useSiteDraft = (slug: string, saved: SiteSettings) =>
  useVersionedDraft<SiteSettings, SiteSettings>(saved, {
    draftOf: (settings) => settings,
    differencesOf,
    // the settings of a site have no version: the last save counts
    isNewer: () => false,
    save: async (draft) => {
      const answer = await saveSite(slug, draft)
      return answer.done ? { done: true, subject: draft } : answer
    },
    reload: async (settings) => ({ done: true, subject: settings }),
    problemsIn: (problems, draft) => problemsByField(problems, (name) => Object.hasOwn(draft, name)),
    savedMessage: () => 'Site saved',
  })
