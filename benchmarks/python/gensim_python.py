#!/usr/bin/env python3
"""gensim's dictionary and bags of words of plain files."""

import re

from answers import WORD, of_bags, paths, read, run

import gensim
from gensim.corpora import Dictionary


def bags(folder):
    find = re.compile(WORD).findall
    dictionary = Dictionary()
    bags = [dictionary.doc2bow(find(read(path).lower()), allow_update=True) for _, path in paths(folder)]
    return ([dictionary[number] for number in range(len(dictionary))], bags), of_bags


run(gensim.__version__, {"bags": bags})
