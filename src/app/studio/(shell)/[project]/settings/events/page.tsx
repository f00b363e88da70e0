export { metadata, EventsPage as default } from '#studio/settings/events/EventsPage'
