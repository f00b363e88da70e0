import type { ReactNode } from 'react'
import { LinkTabs } from '../../../../../../ui/LinkTabs'
import { Page } from '../../../../../../ui/Page'
import { paths, type WebView } from '../../../../../paths'
import type { Web } from './asking'
import { searchOf } from './question'
import { Staying } from './Staying'

const views: readonly { view: WebView; label: string }[] = [
  { view: 'overview', label: 'Overview' },
  { view: 'now', label: 'Right now' },
  { view: 'robots', label: 'Robots' },
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
  web: Pick<Web, 'project' | 'question'>
  view: WebView
  title?: string
  actions?: ReactNode
  children: ReactNode
}) {
  const search = searchOf(question)
  return (
    <Staying>
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
    </Staying>
  )
}
