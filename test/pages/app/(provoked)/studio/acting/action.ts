'use server'

import { redirect } from 'next/navigation'

export async function goOn() {
  redirect('/provoked/arrival?by=action')
}
