import Link from 'next/link'

export const metadata = { title: 'Arrival' }

export default function Arrival() {
  return (
    <main>
      <h1>Arrived</h1>
      <Link href="/provoked/links" prefetch={false}>
        links
      </Link>
    </main>
  )
}
