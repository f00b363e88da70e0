'use client'

import { useToast } from '#ui/overlay/Toast'
import { withNetworkErrors } from '#studio/parts/with-network-errors'
import { discardChanges, publishChanges, restorePostVersion } from '../actions'
import type { usePostDraft } from './use-post-draft'

/** Publishes or discards the unpublished changes of a post. What was discarded can be restored from its history. */
export function useChangesDecision(
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
