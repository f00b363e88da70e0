/** The most series that a legend can switch off. Each needs a rule in charts.css, because CSS cannot count. */
export const maxSwitchableSeries = 24
