import type { Metadata } from 'next'
import { Page } from '#ui/page/Page'
import { Panel } from '#ui/page/Panel'
import { getProduct } from '#studio/product'
import { requireViewer } from '#studio/viewer'
import { NotAllowed } from '#studio/parts/NotAllowed'
import { NewProjectForm } from './NewProjectForm'

export const metadata: Metadata = { title: 'New project' }

export async function NewProjectPage() {
  const viewer = await requireViewer()

  return (
    <Page title="New project" width="reading" description="A project holds the data of one site or product.">
      {getProduct().projects.mayCreate(viewer) ? (
        <Panel>
          <NewProjectForm />
        </Panel>
      ) : (
        <NotAllowed why="Only project owners can create projects." />
      )}
    </Page>
  )
}
