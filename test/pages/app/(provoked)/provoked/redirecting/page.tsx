import { redirect } from 'next/navigation'

export default function Redirecting() {
  redirect('/provoked/arrival')
}
