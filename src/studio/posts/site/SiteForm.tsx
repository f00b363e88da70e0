'use client'

import { lazy, Suspense, useState, useTransition } from 'react'
import type { SiteSettings } from '#posts/site'
import { Button } from '#ui/Button'
import { FormError } from '#ui/form/FormError'
import { Panel } from '#ui/page/Panel'
import { Skeleton } from '#ui/page/Skeleton'
import { useToast } from '#ui/overlay/Toast'
import { type SortedProblems, sortProblems } from '#studio/parts/action-result'
import { withNetworkErrors } from '#studio/parts/with-network-errors'
import { LeavingGuard } from '#studio/parts/LeavingGuard'
import { saveSite } from './actions'
import { isSame } from './draft'
import { LinkRows } from './LinkRows'
import { MetaTagRows } from './MetaTagRows'
import { AppearanceFields } from './AppearanceFields'
import { SiteFields } from './SiteFields'
import { SiteMiniature } from './SiteMiniature'
import { VisitorFields } from './VisitorFields'
import { FooterFields } from './FooterFields'

/** It brings the texts of every language. */
const WordsFields = lazy(async () => ({ default: (await import('./WordsFields')).WordsFields }))

interface SiteSettingsFormProps {
  slug: string
  projectName: string
  origin: string
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

const noProblems: SortedProblems = { errors: {}, messages: [] }

/** Everything that is set of a site, beside a drawing of what comes of it. */
export function SiteForm({ slug, projectName, origin, saved, titles, whyNot }: SiteSettingsFormProps) {
  const { draft, change, isUnsaved, problems, isPending, save, discard } = useSiteDraft(slug, saved)
  const fields = { slug, draft, onChange: change, errors: problems.errors, whyNot }

  return (
    <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <div className="flex min-w-0 flex-col gap-5 max-lg:order-2">
        <Panel title="General">
          <SiteFields {...fields} projectName={projectName} origin={origin} />
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
            error={problems.errors['navigation']}
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
            error={problems.errors['metaTags']}
            onChange={(metaTags) => change({ metaTags })}
          />
        </Panel>
        <Panel title="Visitors">
          <VisitorFields {...fields} />
        </Panel>
        {problems.messages.map((message) => (
          <FormError key={message} title={message} />
        ))}
        {isUnsaved && <SaveBar isPending={isPending} whyNot={whyNot} onSave={save} onDiscard={discard} />}
      </div>
      <div className="min-w-0 max-lg:order-1 lg:sticky lg:top-4">
        <SiteMiniature settings={draft} name={draft.name || projectName} titles={titles} />
      </div>
      <LeavingGuard isUnsaved={isUnsaved} isKept={false} />
    </div>
  )
}

function useSiteDraft(slug: string, before: SiteSettings) {
  const showToast = useToast()
  const [saved, setSaved] = useState(before)
  const [draft, setDraft] = useState(before)
  const [problems, setProblems] = useState(noProblems)
  const [isPending, startTransition] = useTransition()

  const save = () =>
    startTransition(async () => {
      const answer = await withNetworkErrors(() => saveSite(slug, draft))
      setProblems(
        answer.done ? noProblems : sortProblems(answer.problems, (name) => Object.hasOwn(draft, name)),
      )
      if (!answer.done) return
      setSaved(draft)
      showToast({ title: 'Site saved', tone: 'success' })
    })

  return {
    draft,
    change: (part: Partial<SiteSettings>) => setDraft((one) => ({ ...one, ...part })),
    isUnsaved: !isSame(draft, saved),
    problems,
    isPending,
    save,
    discard: () => {
      setDraft(saved)
      setProblems(noProblems)
    },
  }
}

function SaveBar({
  isPending,
  whyNot,
  onSave,
  onDiscard,
}: {
  isPending: boolean
  whyNot: string | undefined
  onSave: () => void
  onDiscard: () => void
}) {
  return (
    <section
      aria-label="Unsaved changes"
      className="sticky bottom-3 z-2 flex flex-wrap items-center justify-between gap-3 rounded-lg border border-line-raised bg-raised p-3.5 shadow-float"
    >
      <output className="font-medium">Not saved</output>
      <div className="flex gap-2">
        <Button onClick={onDiscard}>Discard</Button>
        <Button variant="primary" busy={isPending} disabledReason={whyNot} onClick={onSave}>
          Save site
        </Button>
      </div>
    </section>
  )
}
