import type { ReactNode } from 'react'
import { AccessPage } from '#studio/sign-in/AccessPage'

export default function AccessLayout({ children }: { children: ReactNode }) {
  return <AccessPage>{children}</AccessPage>
}
