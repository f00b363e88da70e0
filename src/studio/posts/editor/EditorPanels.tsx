import { LinkTabs } from '#ui/page/LinkTabs'
import { type PostPanel, paths } from '#studio/paths'

const panels: { panel: PostPanel; label: string; ofPostsOnly?: true }[] = [
  { panel: 'preview', label: 'Preview' },
  { panel: 'settings', label: 'Settings' },
  { panel: 'headlines', label: 'Headlines', ofPostsOnly: true },
  { panel: 'readers', label: 'Readers' },
]

interface EditorPanelsProps {
  slug: string
  id: string
  kind: 'post' | 'page'
  panel: PostPanel | undefined
}

const tabsFor = ({ slug, id, kind, panel }: EditorPanelsProps) =>
  panels
    .filter(({ ofPostsOnly }) => kind === 'post' || !ofPostsOnly)
    .map((one) => ({
      label: one.label,
      href: paths.post(slug, id, { panel: one.panel }),
      current: panel === one.panel,
    }))

/** The panels on narrow screens, where the text is one of them. */
export function NarrowPanels(props: EditorPanelsProps) {
  const { slug, id, panel } = props
  const write = { label: 'Write', href: paths.post(slug, id), current: panel === undefined }
  return (
    <div className="lg:hidden">
      <LinkTabs label="Editor views" tabs={[write, ...tabsFor(props)]} />
    </div>
  )
}

/** The panels beside the text on wide screens. */
export function WidePanels(props: EditorPanelsProps) {
  const [preview, ...others] = tabsFor(props)
  if (!preview) return null
  const isCurrent = preview.current || props.panel === undefined
  return (
    <div className="max-lg:hidden">
      <LinkTabs label="Side panel" tabs={[{ ...preview, current: isCurrent }, ...others]} />
    </div>
  )
}
