import { cut, textOf, type Step, type Underway } from './step'

/** Where the address is; what the sender knows itself where it speaks for visitors, as an export of old events does. */
export const locate: Step = (draft, { envelope, house }) => {
  const { properties } = draft.event
  if (properties['$geoip_disable'] !== true && draft.address !== '') {
    const place = house.places.at(draft.address)
    if (place) return settle(draft, place.country, place.region, place.city)
  }
  if (!envelope.fromServer && !envelope.isHistorical) return
  const country = textOf(properties, '$geoip_country_code').toUpperCase()
  if (/^[A-Z]{2}$/.test(country))
    settle(
      draft,
      country,
      textOf(properties, '$geoip_subdivision_1_name'),
      textOf(properties, '$geoip_city_name'),
    )
}

function settle({ columns }: Underway, country: string, region: string, city: string): void {
  columns.country = country
  if (region !== '') columns.region = cut(region, 100)
  if (city !== '') columns.city = cut(city, 100)
}
