import Link from 'next/link'

const places = ['arrival', 'redirecting', 'exception', 'nothing', 'island', 'instance']

export default function Links() {
  return (
    <main>
      <h1>Links</h1>
      {places.map((place) => (
        <p key={place}>
          <Link href={`/provoked/${place}`} prefetch={false}>
            {place}
          </Link>
        </p>
      ))}
    </main>
  )
}
