'use client'

import { clsx } from 'clsx'
import { lazy, type ReactNode, Suspense, useId, useState } from 'react'
import { addressOf, type Post, type PostState, stateOf } from '#posts/post'
import { Button } from '#ui/Button'
import { dateTime } from '#ui/format'
import { FormError } from '#ui/form/FormError'
import { Notice } from '#ui/page/Notice'
import { useShortcut } from '#ui/keyboard/shortcut'
import { Skeleton } from '#ui/page/Skeleton'
import { TitleInput } from '#ui/form/TitleInput'
import { VisuallyHidden } from '#ui/VisuallyHidden'
import { type PostPanel, paths } from '#studio/paths'
import { ChangedMeanwhile } from '#studio/parts/ChangedMeanwhile'
import { LeavingGuard } from '#studio/parts/LeavingGuard'
import { useToast } from '#ui/overlay/Toast'
import { withNetworkErrors } from '#studio/parts/with-network-errors'
import { discardChanges, publishChanges, restorePostVersion } from '../actions'
import { BodyField } from './BodyField'
import { EditorBar } from './EditorBar'
import { NarrowPanels, WidePanels } from './EditorPanels'
import type { PostEditorContext } from './editor-context'
import { PostMenu } from './PostMenu'
import { Preview } from './Preview'
import { type PostEditing, usePostDraft } from './use-post-draft'
import type { PostDraft } from './draft'

/** Loaded on demand: writing does not need them. */
const PublishDialog = lazy(async () => ({ default: (await import('./PublishDialog')).PublishDialog }))
const SettingsPanel = lazy(async () => ({ default: (await import('./SettingsPanel')).SettingsPanel }))

interface PostEditorProps {
  post: Post
  panel: PostPanel | undefined
  context: PostEditorContext
  now: Date
  /** The planned date of publication, as the project's clocks show it; '' if it is not decided. */
  planned: string
  beginning: string
  whyNot: string | undefined
  /** The panel about readers, which does not depend on the draft. */
  children: ReactNode
}

/** A post while it is written: the text on one side, and what comes of it on the other. */
export function PostEditor(props: PostEditorProps) {
  const { post, context, now, whyNot } = props
  const { slug } = context
  const state = stateOf(post, now)
  const saved = state === 'published' ? 'Saved, not published' : 'Saved'
  const editing = usePostDraft(slug, post, {
    saved,
    isReadOnly: whyNot !== undefined || state === 'archived',
  })
  const { draft, base } = editing
  const changes = useChangesDecision(slug, post.id, editing)
  const [isPublishing, setPublishing] = useState(false)
  useShortcut('mod+s', () => {
    if (whyNot === undefined) editing.saveSoon()
  })

  return (
    <div className="mx-auto flex w-full max-w-400 flex-col gap-4 px-4 py-5 sm:px-6 lg:h-[calc(100dvh-3.5rem)] lg:min-h-140">
      <VisuallyHidden>
        <h1>{base.title}</h1>
      </VisuallyHidden>
      <EditorBar
        trail={trailOf(post.kind, slug)}
        state={state}
        planned={plannedText(post, state, context)}
        address={
          state === 'published' && context.siteRoot !== undefined
            ? `${context.siteRoot}${addressOf(post)}`
            : undefined
        }
        editing={editing}
        whyNot={whyNot}
        onPublish={() => setPublishing(true)}
        onPublishChanges={changes.publish}
        menu={
          <PostMenu
            slug={slug}
            id={post.id}
            title={base.title}
            state={state}
            publishedAt={post.publishedAt}
            whyNot={whyNot}
            hasChanges={editing.hasChanges}
            discardChanges={changes.discard}
          />
        }
      />
      <Notices editing={editing} noun={post.kind} />
      <EditorColumns {...props} editing={editing} />
      <LeavingGuard isUnsaved={editing.isUnsaved} isKept={editing.kept.isKept} />
      {isPublishing && (
        <Suspense>
          <PublishDialog
            slug={slug}
            id={post.id}
            title={draft.title}
            state={state}
            timeZone={context.timeZone}
            planned={props.planned}
            newsletter={context.newsletter}
            missing={missingParts(post.kind, draft)}
            save={async () => (await editing.save()) !== undefined}
            onClose={() => setPublishing(false)}
          />
        </Suspense>
      )}
    </div>
  )
}

const plannedText = ({ publishedAt }: Post, state: PostState, { timeZone }: PostEditorContext) =>
  state === 'scheduled' && publishedAt ? `for ${dateTime(publishedAt, timeZone)}` : undefined

const trailOf = (kind: Post['kind'], slug: string) => [
  kind === 'post' ? { label: 'Posts', href: paths.posts(slug) } : { label: 'Pages', href: paths.pages(slug) },
]

function EditorColumns(props: PostEditorProps & { editing: PostEditing }) {
  const { post, panel, context, editing } = props
  const panels = { slug: context.slug, id: post.id, kind: post.kind, panel }
  return (
    <>
      <NarrowPanels {...panels} />
      <div className="grid min-h-0 grow gap-x-6 gap-y-5 lg:grid-cols-[minmax(0,1.15fr)_minmax(0,1fr)]">
        <WritingColumn panel={panel} editing={editing} context={context} />
        <div className={clsx('flex min-h-0 min-w-0 flex-col gap-4', panel === undefined && 'max-lg:hidden')}>
          <WidePanels {...panels} />
          <SideColumn {...props} />
        </div>
      </div>
    </>
  )
}

function SideColumn({
  post,
  panel,
  context,
  now,
  beginning,
  children,
  editing,
}: PostEditorProps & { editing: PostEditing }) {
  const { draft, change, problems } = editing
  const isPreview = panel === undefined || panel === 'preview'
  return (
    // space for focus rings, which a scrolling box would cut off
    <div className="min-h-0 grow lg:-m-1 lg:overflow-y-auto lg:p-1">
      <div hidden={!isPreview}>
        <Preview slug={context.slug} title={draft.title} body={draft.body} theme={context.previewTheme} />
      </div>
      {panel === 'settings' && (
        <Suspense fallback={<Skeleton className="h-96 w-full" />}>
          <SettingsPanel
            kind={post.kind}
            state={stateOf(post, now)}
            draft={draft}
            onChange={change}
            errors={problems}
            context={context}
            beginning={beginning}
          />
        </Suspense>
      )}
      {children}
    </div>
  )
}

function WritingColumn({
  panel,
  editing,
  context,
}: {
  panel: PostPanel | undefined
  editing: PostEditing
  context: PostEditorContext
}) {
  const { draft, change, problems } = editing
  const problemId = useId()
  return (
    <div className={clsx('flex min-h-0 min-w-0 flex-col gap-3', panel !== undefined && 'max-lg:hidden')}>
      <TitleInput
        label="Title"
        placeholder="Title"
        value={draft.title}
        error={problems['title']}
        onChange={(title) => change({ title })}
      />
      <BodyField
        slug={context.slug}
        theme={context.previewTheme}
        value={draft.body}
        onChange={(body) => change({ body })}
        describedBy={problems['body'] && problemId}
      />
      {problems['body'] && (
        <p id={problemId} className="text-xs text-danger-ink">
          {problems['body']}
        </p>
      )}
    </div>
  )
}

function Notices({ editing, noun }: { editing: PostEditing; noun: string }) {
  const { otherChange, kept, problems, restoreKept } = editing
  const elsewhere = Object.entries(problems).filter(([part]) => part !== 'title' && part !== 'body')
  return (
    <>
      {elsewhere.map(([part, message]) => (
        <FormError key={part} title={part === '' ? message : `In its settings: ${message}`} />
      ))}
      <ChangedMeanwhile noun={noun} otherChange={otherChange} />
      {kept.found && (
        <Notice
          tone="info"
          title="Unsaved draft found"
          action={
            <>
              <Button size="sm" onClick={kept.forget}>
                Discard draft
              </Button>
              <Button size="sm" variant="primary" onClick={restoreKept}>
                Restore draft
              </Button>
            </>
          }
        >
          {kept.isOlder
            ? 'The draft is in this browser. The post was saved since then: compare before you save.'
            : 'The draft is in this browser.'}
        </Notice>
      )}
    </>
  )
}

/** Publishes or discards the unpublished changes of a post. What was discarded can be restored from its history. */
function useChangesDecision(
  slug: string,
  id: string,
  { decide, startSaving }: Pick<ReturnType<typeof usePostDraft>, 'decide' | 'startSaving'>,
) {
  const showToast = useToast()

  async function restore(version: number) {
    const answer = await withNetworkErrors(() => restorePostVersion(slug, id, version))
    if (!answer.done)
      showToast({ title: answer.problems.map(({ message }) => message).join(' '), tone: 'danger' })
  }

  async function discard() {
    const discarded = await decide(discardChanges)
    if (!discarded) return
    const { version } = discarded
    const action =
      version === undefined
        ? undefined
        : { label: 'Undo', onSelect: () => startSaving(async () => await restore(version)) }
    showToast({ title: 'Changes discarded', tone: 'success', action })
  }

  return {
    publish: () =>
      startSaving(async () => {
        if (await decide(publishChanges)) showToast({ title: 'Changes published', tone: 'success' })
      }),
    discard: () => startSaving(discard),
  }
}

/** The parts that readers would miss, a sentence each; none of them prevents publishing. */
export function missingParts(kind: Post['kind'], draft: PostDraft): string[] {
  const { body, cover, excerpt } = draft
  return [
    body.trim() === '' && 'There is no text yet.',
    pictureWithoutWords.test(body) && 'An image has no alt text.',
    cover?.alt === '' && 'The cover has no alt text.',
    kind === 'post' && excerpt === '' && 'No excerpt: lists show the beginning of the text.',
  ].filter((sentence) => sentence !== false)
}

const pictureWithoutWords = /!\[\s*\]\(/
