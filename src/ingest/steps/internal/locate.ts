import { truncate, textOf, type IngestStep, type PipelineDraft } from './step'

/**
 * Finds the place of the address. If the client speaks for visitors, as an import of old events does, its own place
 * properties count.
 */
export const locate: IngestStep = (draft, { envelope, ingest }) => {
  const { properties } = draft.event
  if (properties['$geoip_disable'] !== true && draft.address !== '') {
    const place = ingest.places.find(draft.address)
    if (place) return setPlace(draft, place.country, place.region, place.city)
  }
  if (!draft.fromServer && !envelope.isHistorical) return
  const country = textOf(properties, '$geoip_country_code').toUpperCase()
  if (/^[A-Z]{2}$/.test(country))
    setPlace(
      draft,
      country,
      textOf(properties, '$geoip_subdivision_1_name'),
      textOf(properties, '$geoip_city_name'),
    )
}

function setPlace({ columns }: PipelineDraft, country: string, region: string, city: string): void {
  columns.country = country
  if (region !== '') columns.region = truncate(region, 100)
  if (city !== '') columns.city = truncate(city, 100)
}
