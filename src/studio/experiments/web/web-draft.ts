import type { WebVariants } from '#experiments/web/web-variants'

/** One change of elements, as it is edited. */
export interface ElementChangeDraft {
  /** Tells changes apart while they are edited; never leaves the page. */
  id: string
  selector: string
  html: string
  css: string
}

export interface WebVariantDraft {
  key: string
  /** A part of the addresses on which the variant is shown, where conditions assign it. */
  url: string
  /** The other conditions, which are kept as they are. */
  conditions: WebVariants['variants'][string]['conditions']
  changes: readonly ElementChangeDraft[]
}

export interface WebDraft {
  assignedBy: WebVariants['assignedBy']
  previewsDraft: boolean
  variants: readonly WebVariantDraft[]
}

let latestId = 0
export const newElementChange = (part: Partial<ElementChangeDraft> = {}): ElementChangeDraft => ({
  selector: '',
  html: '',
  css: '',
  ...part,
  id: `change-${(latestId += 1)}`,
})

export const webDraftOf = (web: WebVariants | undefined, keys: readonly string[]): WebDraft => ({
  assignedBy: web?.assignedBy ?? 'flag',
  previewsDraft: web?.previewsDraft ?? false,
  variants: keys.map((key) => {
    const { transforms = [], conditions } = web?.variants[key] ?? {}
    return {
      key,
      url: conditions?.url ?? '',
      conditions,
      changes: transforms.map(({ selector, html, css }) =>
        newElementChange({
          selector,
          ...(html !== undefined && { html }),
          ...(css !== undefined && { css }),
        }),
      ),
    }
  }),
})

/** Returns null where nothing is changed, so that posthog-js is told of nothing. */
export function webInputOf({ assignedBy, previewsDraft, variants }: WebDraft): object | null {
  const changed = variants.filter(({ changes }) => changes.length > 0)
  if (changed.length === 0) return null
  const entries = changed.map(({ key, url, conditions: before, changes }) => {
    const conditions =
      assignedBy === 'conditions' ? { conditions: { ...before, url: url === '' ? undefined : url } } : {}
    const transforms = changes.map(({ selector, html, css }) => ({
      selector,
      ...(html !== '' && { html }),
      ...(css !== '' && { css }),
    }))
    return [key, { transforms, ...conditions }] as const
  })
  return { assignedBy, previewsDraft, variants: Object.fromEntries(entries) }
}
