import type { Metadata } from 'next'
import { Page } from '../../../../../../ui/Page'
import { Panel } from '../../../../../../ui/Panel'
import { getProduct } from '../../../../../product'
import { requireViewer } from '../../../../../viewer'
import { NotAllowed } from '../../../../NotAllowed'
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
        <NotAllowed why="Only somebody who owns a project may create another one." />
      )}
    </Page>
  )
}
