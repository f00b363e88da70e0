import type { ReactNode } from 'react'
import { LinkTabs } from '#ui/page/LinkTabs'
import { Page } from '#ui/page/Page'
import { paths, type WebView } from '#studio/paths'
import { ScrollKeepingLinks } from '#ui/Anchor'
import type { WebContext } from './web-queries'
import { searchOf } from './web-query'

const views: readonly { view: WebView; label: string }[] = [
  { view: 'overview', label: 'Overview' },
  { view: 'now', label: 'Realtime' },
  { view: 'robots', label: 'Bots' },
  { view: 'goals', label: 'Goals' },
]

/** The head that all views of web analytics share. What was chosen goes along from one to the other. */
export function WebFrame({
  web: { project, question },
  view,
  title = 'Web analytics',
  actions,
  children,
}: {
  web: Pick<WebContext, 'project' | 'question'>
  view: WebView
  title?: string
  actions?: ReactNode
  children: ReactNode
}) {
  const search = searchOf(question)
  return (
    <ScrollKeepingLinks>
      <Page
        title={title}
        breadcrumbs={[{ label: project.name, href: paths.project(project.slug) }]}
        actions={actions}
        tabs={
          <LinkTabs
            label="Views of web analytics"
            tabs={views.map(({ view: to, label }) => ({
              label,
              href: paths.webView(project.slug, to, search),
              current: to === view,
            }))}
          />
        }
      >
        {children}
      </Page>
    </ScrollKeepingLinks>
  )
}
