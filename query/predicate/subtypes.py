"""Knows the subtypes of cards, so that a word that is none is not taken for one."""

from __future__ import annotations

_WORDS = """
    dihada, saga, tasha, lamia, ninja, lukka, vraska, jeska, llama, gamma, liliana, echidna, hyena, kasmina,
    capybara, chandra, hydra, zubera, chimera, kiora, serra, aura, azra, nissa, jaya, kaya, urza, crab, orb,
    cleric, mystic, orc, minsc, bobblehead, nomad, dryad, jared, licid, tyranid, camarid, homarid, estrid, squid,
    druid, child, kobold, gold, island, sand, background, god, demigod, food, blood, heartwood, bard, shard,
    coward, lizard, wizard, bird, weird, time lord, jace, windgrace, cockatrice, shade, kree, employee, giraffe,
    siege, sponge, cartouche, ouphe, zombie, faerie, snake, drake, spike, whale, sable, beeble, noble, tentacle,
    vehicle, noggle, moogle, crocodile, mole, role, turtle, gargoyle, gnome, arcane, mine, porcupine, wolverine,
    shrine, drone, stone, powerstone, rune, ape, antelope, nightmare, sphere, ogre, vampire, manticore, masticore,
    treasure, adventure, sculpture, case, freyalise, mongoose, horse, curse, mouse, gate, pirate, trilobite, mite,
    triskelavite, tetravite, pentavite, symbiote, coyote, rogue, clue, cave, detective, eye, ooze, hippogriff,
    guff, phelddagrif, elf, wolf, werewolf, dwarf, serf, lhurgoyf, hag, brushwagg, egg, orgg, tiefling, halfling,
    inkling, yanling, saproling, dog, hedgehog, frog, atog, slug, leech, primarch, nymph, fish, starfish,
    jellyfish, angrath, elspeth, wraith, gith, slith, lolth, synth, koth, sloth, blinkmoth, samurai, dauthi,
    saheeli, huatli, ajani, soltari, teferi, nahiri, domri, basri, sivitri, yeti, daretti, eldrazi, dack,
    ellywick, warlock, dalek, elk, treefolk, moonfolk, merfolk, monk, junk, skunk, ashiok, book, shark, basilisk,
    garruk, seal, jackal, eternal, ral, fractal, elemental, rebel, angel, zariel, davriel, camel, squirrel,
    weasel, snail, devil, wall, will, gnoll, troll, thrull, skrull, golem, nephilim, room, utrom, germ, worm,
    wurm, prism, vibranium, possum, sarkhan, leviathan, dellian, barbarian, phyrexian, plan, shaman, cyberman,
    human, inhuman, metathran, c'tan, rowan, mutagen, alien, vivien, kraken, vedalken, omen, mordenkainen, siren,
    citizen, villain, mountain, griffin, ugin, kithkin, goblin, gremlin, pangolin, kirin, sorin, assassin, dovin,
    wrenn, djinn, arlinn, gideon, dragon, gorgon, archon, scion, hellion, minion, scorpion, illusion,
    fortification, incarnation, attraction, reflection, contraption, dakkon, demon, raccoon, balloon, necron,
    bison, lesson, skeleton, karn, graveborn, aetherborn, unicorn, spawn, clown, town, niko, oko, armadillo,
    rhino, kangaroo, hippo, hero, kaito, servo, teyo, tamiyo, map, trap, sheep, swamp, imp, shi'ar, bear,
    surrakar, boar, avatar, tyvar, artificer, spider, elder, beholder, lander, salamander, badger, rigger, ranger,
    bringer, monger, pincher, archer, soldier, carrier, nightstalker, berserker, assembly-worker, gamer, glimmer,
    performer, spellshaper, flagbearer, sorcerer, venser, specter, shapeshifter, splinter, thopter, deserter,
    lobster, hamster, elminster, oyster, otter, beaver, sliver, volver, tower, lair, warrior, kor, horror,
    advisor, processor, incubator, doctor, praetor, inquisitor, survivor, dinosaur, centaur, minotaur, lemur, myr,
    satyr, urza's, bolas, custodes, astartes, aurochs, nixilis, plains, xenagos, thalakos, vronos, cyclops, class,
    locus, fungus, quintorius, nautilus, homunculus, octopus, platypus, walrus, pegasus, bat, wombat, cat, goat,
    rat, szat, insect, construct, efreet, comet, planet, tezzeret, ferret, narset, spacecraft, knight,
    dreadnought, rabbit, spirit, tibalt, elephant, giant, plant, power-plant, peasant, mutant, equipment, serpent,
    varmint, mount, robot, pilot, desert, beast, pest, forest, guest, grist, scientist, juggernaut, bahamut,
    samut, scout, yanggu, caribou, aminatou, qu, lammasu, kavu, scarecrow, calix, phoenix, drix, sphinx, ox, fox,
    monkey, ally, army, toy, harpy, spy, mercenary, infinity
"""

SUBTYPES = frozenset(" ".join(word.split()) for word in _WORDS.split(","))
"""The artifact, enchantment, land, planeswalker, spell, creature and battle types of rule 205.3, in lower case."""
