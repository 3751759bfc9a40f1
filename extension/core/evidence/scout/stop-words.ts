/** Words of English grammar: never looked up. */
export const stopWords: ReadonlySet<string> = new Set(
  `a an and are as at be been being but by can cannot could did do does doing don done for from had has have having he her here hers him his how i if in into is isn it its itself just ll me more most my no nor not now of off on once only or other our ours out over own re same she should shouldn so some such than that the their theirs them then there these they this those through to too until up ve very was wasn we were weren what when where which while who whom why will with won would wouldn you your yours also however any all both each few about above after again against before below between during under am let us may might must shall via per vs etc ie eg
  http https www com org github html`.split(/\s+/),
);

/** Words that people say about any trouble in any program: kept, but worth less than what names this one. */
export const chatter: ReadonlySet<string> = new Set(
  `issue issues bug bugs problem problems error errors wrong broken break breaks fail fails failed failing failure work works working worked expected expect actual actually behavior behaviour behaviors current currently result results reproduce reproduction reproducing reproducible repro steps step following example examples please thanks thank hello hi describe description version versions latest release released update updated upgrade upgraded upgrading
  try tried trying seems seem looks look looking like want wanted need needs needed use used using uses user users happen happens happened happening notice noticed see seen saw know think thought believe guess maybe probably instead however because since though although always never sometimes still even already yet again really quite
  weird strange unexpected unexpectedly incorrect incorrectly correct correctly properly proper fine ok okay good bad better right way ways thing things something anything nothing everything someone anyone people make makes made making get gets got getting give gives given set
  screenshot screenshots image images screen attached link links click clicked page open opened opening code sample demo project app application simple minimal test tests tested testing run runs running ran feature request possible solution suggestion support question report reported reporter fix fixed fixes fixing solve solved
  first second last new old one two three case cases time times day days today yesterday line lines file files note info information detail details environment system context additional`.split(/\s+/),
);
