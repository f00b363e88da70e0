import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { paths } from '../../../../paths'
import { getProduct } from '../../../../product'
import { currentViewer } from '../../../../viewer'
import { wayBack } from '../../../../way-back'
import { DoorSheet } from '../Door'
import { SignInForm } from './SignInForm'

export const metadata: Metadata = { title: 'Sign in' }

export default async function SignInPage({ searchParams }: { searchParams: Promise<{ to?: unknown }> }) {
  const to = wayBack((await searchParams).to)
  if (await getProduct().setup.isNeeded()) redirect(paths.setup)
  if (await currentViewer()) redirect(to)

  return (
    <DoorSheet title="Sign in">
      <SignInForm to={to} />
    </DoorSheet>
  )
}
