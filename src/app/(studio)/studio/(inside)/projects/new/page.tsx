import type { Metadata } from 'next'
import { Page } from '#ui/page/Page'
import { Panel } from '#ui/page/Panel'
import { getProduct } from '#app/product'
import { requireViewer } from '#app/viewer'
import { NotAllowed } from '#app/(studio)/NotAllowed'
import { NewProjectForm } from './NewProjectForm'

export const metadata: Metadata = { title: 'New project' }

export default async function NewProjectPage() {
  const viewer = await requireViewer()

  return (
    <Page title="New project" width="reading" description="One site or product whose data belongs together.">
      {getProduct().projects.mayCreate(viewer) ? (
        <Panel>
          <NewProjectForm />
        </Panel>
      ) : (
        <NotAllowed why="Only an owner of a project can create another one." />
      )}
    </Page>
  )
}
