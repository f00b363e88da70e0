import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { paths } from '../../../../paths'
import { getProduct } from '../../../../product'
import { DoorSheet } from '../Door'
import { SetupForm } from './SetupForm'

export const metadata: Metadata = { title: 'Set up' }

export default async function SetupPage() {
  if (!(await getProduct().setup.isNeeded())) redirect(paths.signIn())

  return (
    <DoorSheet
      title="Set up Tilth"
      description="Nobody owns this Tilth yet. The code in the terminal where it was started shows that you may."
    >
      <SetupForm />
    </DoorSheet>
  )
}
